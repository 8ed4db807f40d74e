import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import type { Amount } from "../../../../src/ground/math/fixed.ts";
import {
  CANCEL_CAUSE,
  CLOSE_KIND,
  EVENT_KINDS,
  INSURANCE_CAUSES,
  LIQUIDATION_STAGES,
} from "../../../../src/protocol/events.ts";
import { isLiquidationStep } from "../../../../src/protocol/liquidationStep.ts";
import type { AccountRow } from "../../../../src/venue/engine/state/schema.ts";
import { TOTAL } from "../../../../src/venue/engine/state/totals.ts";
import type { Story } from "../../../helpers/venue/story.ts";
import type { Step } from "../../../helpers/venue/traderSteps.ts";
import { Reached, TestVenue, type VenueOptions } from "../../../helpers/venue.ts";

const reached = new Reached();
const rich = { bob: "100000", carol: "1000000", dave: "100000" };
/** Maintenance 5 %, recorded marks, no fees; alice is long 10 at 100 with 100. */
const open = (options: VenueOptions = {}) => {
  const v = new TestVenue({ accounts: { alice: "100", ...rich }, prices: { TEST: "100" }, ...options }, reached);
  v.do(v.sell("bob", "10", "100"), v.buy("alice", "10", "100"));
  return v;
};
const stages = (story: Story) => story.of("liquidationStage").map(({ stage }) => LIQUIDATION_STAGES[stage]);
const insurance = (story: Story) =>
  story.of("insuranceChanged").map(({ delta, cause }) => [INSURANCE_CAUSES[cause], delta / 1e6]);

describe("which accounts are liquidated", () => {
  test("equity at maintenance is enough, a millionth of price less is not", () => {
    const v = open();
    // 10 p - 1,000 + 100 = 0.5 p at 94.7368421...
    expect(v.do(v.price("94.736843")).of("liquidationStarted")).toEqual([]);
    expect(v.do(v.price("94.736842")).of("liquidationStarted")).toHaveLength(1);
  });

  test("no account for an order alone, and the house never", () => {
    const v = new TestVenue({ accounts: { alice: "100", ...rich }, house: { house: "0" }, prices: { TEST: "100" } });
    v.do(v.buy("alice", "10", "100"), v.buy("house", "50", "99"), v.sell("bob", "60", "99"));
    v.do(v.cancelAll("alice"));
    v.do(v.price("10"));
    expect([v.lots("house"), v.health("house").equity < 0]).toEqual([50, true]);
  });
});

describe("the liquidation step of a margin account", () => {
  test("orders that may add risk are cancelled first, those that only close stay; nothing else is cancelled, healthy again or not", () => {
    const v = open();
    v.do(v.price("100"), v.sell("alice", "4", "110"), v.sell("alice", "6", "111"), v.sell("alice", "2", "112"));
    v.do(v.update({ tier1: "0 0.2 0.11" }), v.sell("bob", "1", "119"));
    const story = v.lastStory!;
    expect(v.cancels(story, CANCEL_CAUSE.liquidation)).toEqual(["2 alice"]);
    expect(v.book()).toEqual(["sell 4@110 alice", "sell 6@111 alice", "sell 1@119 bob"]);
  });

  test("closes into the order book within the fillable price, and pays the fee to the fund", () => {
    const v = open();
    v.do(v.buy("carol", "4", "93"), v.buy("carol", "50", "92"));
    // At 94: equity 40, maintenance 47. Bankruptcy price 90; fillable 94 * (1 - 0.075 * 7 / 47) = 92.95.
    const story = v.do(v.price("94"));
    expect(v.fills(story)).toEqual(["4@93 carol>alice"]);
    expect(story.of("fill")[0]).toMatchObject({ takerFee: 0, takerOrder: 0 });
    expect(insurance(story)).toEqual([["liquidationFee", 3.72]]);
    expect(stages(story)).toEqual(["bookClosing", "recovered"]);
    expect(v.usd("alice")).toBe("68.28");
  });

  test("stops as soon as the margin account is healthy, and leaves the rest of the queue untouched", () => {
    const v = open({
      markets: { TEST: {}, MORE: {} },
      prices: { TEST: "100", MORE: "10" },
      accounts: { alice: "130", ...rich },
    });
    v.do(v.sell("bob", "20", "10", { market: "MORE" }), v.buy("alice", "20", "10", { market: "MORE" }));
    v.do(v.buy("carol", "50", "93"), v.buy("carol", "50", "10", { market: "MORE" }));
    // The larger maintenance first; after it the rest is healthy.
    const story = v.do(v.price("92.5"));
    expect([v.lots("alice"), v.lots("alice", "MORE")]).toEqual([0, 20]);
    expect(story.of("liquidationStage").at(-1)).toMatchObject({ stage: LIQUIDATION_STAGES.indexOf("recovered") });
  });

  test("at the bankruptcy price leaves exactly nothing, and no fee is taken beyond it", () => {
    const v = open();
    v.do(v.buy("carol", "10", "90"));
    const story = v.do(v.price("92"));
    expect([v.lots("alice"), v.usd("alice"), insurance(story)]).toEqual([0, "0", []]);
    expect(stages(story)).toEqual(["bookClosing", "completed"]);
  });

  test("pays as fee only the amount above the bankruptcy price, if that is less than the fee", () => {
    const v = open({ markets: { TEST: { tickSize: "0.1" } } });
    v.do(v.buy("carol", "10", "90.3"));
    const story = v.do(v.price("92"));
    expect([v.usd("alice"), insurance(story)]).toEqual(["0", [["liquidationFee", 3]]]);
  });

  test("pays its makers no rebate, since no taker fee comes in", () => {
    const v = open({
      markets: { TEST: { takerFee: "0.001", makerFee: "-0.001" } },
      accounts: { alice: "101", ...rich },
    });
    v.do(v.buy("carol", "10", "93"));
    const [fill] = v.do(v.price("94")).of("fill");
    expect(fill).toMatchObject({ takerFee: 0, makerFee: 0 });
  });

  test("shorts are the mirror", () => {
    const v = new TestVenue({ accounts: { alice: "100", ...rich }, prices: { TEST: "100" } }, reached);
    v.do(v.buy("bob", "10", "100"), v.sell("alice", "10", "100"));
    v.do(v.sell("carol", "4", "107"), v.sell("carol", "50", "109"));
    // At 106: equity 40, maintenance 53; bankruptcy price 110; fillable 106 * (1 + 0.075 * 13 / 53) = 107.95.
    const story = v.do(v.price("106"));
    expect(v.fills(story)).toEqual(["4@107 carol>alice"]);
    expect(insurance(story)).toEqual([["liquidationFee", 4.28]]);
  });
});

// research/venues.md 2.11: equity 3,065 with 10 at 1,900 and 1 at 47,000, 5 %: bankruptcy prices 1,811.765 and
// 44,817.348.
describe("bankruptcy prices", () => {
  const two = (balance: string, more: Record<string, string> = {}) => {
    const v = new TestVenue(
      {
        markets: {
          ETH: { tickSize: "0.001", lotSize: "0.1", minSize: "0.1", positionLimit: "1000", ...more },
          BTC: { tickSize: "0.001", lotSize: "0.1", minSize: "0.1", positionLimit: "1000", ...more },
        },
        accounts: { alice: balance, bob: "10000000", carol: "10000000" },
        prices: { ETH: "2000", BTC: "50000" },
      },
      reached,
    );
    const btc = { market: "BTC" };
    v.do(v.sell("bob", "10", "2000"), v.buy("alice", "10", "2000"));
    v.do(v.sell("bob", "1", "50000", btc), v.buy("alice", "1", "50000", btc));
    return v;
  };

  test("are shares of equity by maintenance", () => {
    const v = two("7065");
    const story = v.do(v.price("1900"), v.price("47000", { market: "BTC" }));
    expect(story.of("liquidationStarted")).toMatchObject([{ equity: 3065e6, maintenance: 3300e6 }]);
    const bankruptcy = story
      .of("liquidationStage")
      .map(({ market, bankruptcyPrice }) => [market, Math.round(bankruptcyPrice / 1e5) / 1e3]);
    expect(bankruptcy).toEqual([
      [1, 44817.348],
      [0, 1811.765],
    ]);
  });

  test("a fill at it keeps equity / maintenance, whatever the order, and closing all leaves exactly 0", () => {
    // No fee and a fillable price beyond zero: equity 1,565 of 3,300.
    const v = two("5565", { tier1: "0 0.07 0.05" });
    const btc = { market: "BTC" };
    const share = 1565 / 3300;
    const zBtc = (47000 * (1 - 0.05 * share)).toFixed(3);
    v.do(v.buy("carol", "0.1", `${Number((Number(zBtc) + 0.001).toFixed(3))}`, btc));
    v.do(v.price("1900"), v.price("47000", btc));
    const { equity, maintenance } = v.health("alice");
    expect(v.lots("alice", "BTC")).toBe(9);
    expect(equity / maintenance).toBeGreaterThanOrEqual(share);
    expect(equity / maintenance).toBeLessThan(share + 1e-6);
  });
});

describe("pacing (LIQ-2)", () => {
  const large = (balance: string) => {
    const v = new TestVenue({ accounts: { alice: balance, ...rich }, prices: { TEST: "100" } }, reached);
    v.do(v.sell("bob", "1200", "100"), v.sell("dave", "800", "100"), v.buy("alice", "2000", "100"));
    v.do(v.buy("carol", "9000", "94"));
    return v;
  };

  test("a large position is closed in fifths, thirty seconds apart", () => {
    // At 94.4: equity 8,900, maintenance 9,440.
    const v = large("20100");
    const story = v.do(v.price("94.4"));
    expect([v.lots("alice"), stages(story)]).toEqual([1600, ["bookClosing", "recovered"]]);
    const { cooldownMs } = story.of("liquidationStage")[0]!;
    expect(cooldownMs).toBe(v.state.timeMs + 30_000);
    // Due again at once, but cooling.
    v.do(v.price("94"));
    expect([v.lots("alice"), v.health("alice").equity < v.health("alice").maintenance]).toEqual([1600, false]);
  });

  test("during the cooldown nothing is closed; at its end the next fifth is", () => {
    const v = large("20100");
    v.do(
      v.update({ liquidationFee: "0" }),
      v.cancelAll("carol"),
      v.buy("carol", "100", "94"),
      v.buy("carol", "9000", "93"),
    );
    const first = v.do(v.price("94.3"));
    expect([v.lots("alice"), stages(first)]).toEqual([1900, ["bookClosing"]]);
    const at = v.state.timeMs;
    const waiting = v.runAt(at + 29_999, v.price("94"), v.buy("carol", "9000", "94"));
    expect([v.lots("alice"), waiting.of("liquidationContinued")]).toEqual([1900, []]);
    v.runAt(at + 30_000);
    // 20 % of 1,900.
    expect(v.lots("alice")).toBe(1520);
  });

  test("below two thirds of maintenance margin all of it is closed at once, during a cooldown, too", () => {
    const v = large("20100");
    v.do(v.cancelAll("carol"), v.buy("carol", "9000", "92"));
    v.do(v.price("94.4"));
    expect(v.lots("alice")).toBe(2000);
    v.do(v.price("92.5"));
    expect(v.lots("alice")).toBe(0);
  });
});

describe("when equity is gone (LIQ-4, LIQ-5, LIQ-6)", () => {
  test("the fund pays exactly the difference of fills to the bankruptcy price, and nothing else", () => {
    const v = open({ insurance: "1000" });
    v.do(v.buy("carol", "10", "86"));
    // At 85: equity -50, bankruptcy price 90.
    const story = v.do(v.price("85"));
    expect(insurance(story)).toEqual([["cover", -40]]);
    expect([v.usd("alice"), v.total("insurance"), v.lots("alice")]).toEqual(["0", 960_000_000n, 0]);
    expect(stages(story)).toEqual(["bookClosing", "insuranceCover", "completed"]);
  });

  test("with a small fund only as much is closed as it can pay for, to the lot; the rest is deleveraged at the bankruptcy price", () => {
    const v = open({ insurance: "21" });
    v.do(v.buy("carol", "10", "86"));
    const story = v.do(v.price("85"));
    expect(v.fills(story)).toEqual(["5@86 carol>alice"]);
    expect(story.of("deleveraged")).toMatchObject([
      { size: 5, value: 450e6, way: CLOSE_KIND.deleveraging, counterparty: v.row("bob") },
    ]);
    expect([v.usd("alice"), v.total("insurance"), v.lots("bob")]).toEqual(["0", 1_000_000n, -5]);
    // Bob sold at 100 and bought five back at 90.
    expect(v.usd("bob")).toBe("100050");
  });

  test("the fund pays for no fill more than half a percent beyond the mark", () => {
    const v = open({ insurance: "1000" });
    v.do(v.buy("carol", "10", "84"));
    const story = v.do(v.price("85"));
    expect([v.fills(story), v.total("insurance")]).toEqual([[], 1000_000_000n]);
  });

  test("without a fund the position is deleveraged by the rank of the other side, up to its size", () => {
    // Shorts by |cost| / equity: erin 5 at 100 with 60, bob 5 with 1,000, dave 5 with 100,000.
    const v = new TestVenue(
      {
        accounts: { alice: "120", bob: "1000", dave: "100000", erin: "60" },
        house: { house: "0" },
        prices: { TEST: "100" },
      },
      reached,
    );
    for (const who of ["dave", "house", "bob", "erin"]) v.do(v.sell(who, "3", "100"));
    v.do(v.buy("alice", "12", "100"));
    v.do(v.sell("dave", "1", "100"), v.sell("house", "1", "100"), v.buy("bob", "2", "100"));
    const story = v.do(v.price("85"));
    const order = story
      .of("deleveraged")
      .map(({ counterparty, size }) => `${size} ${v.nameOf(counterparty as AccountRow)}`);
    expect(order).toEqual(["3 erin", "1 bob", "4 dave", "4 house"]);
    expect(["alice", "bob", "dave", "erin", "house"].map((who) => v.lots(who))).toEqual([0, 0, 0, 0, 0]);
  });

  test("longs rank by notional squared over cost and equity", () => {
    const v = new TestVenue(
      { accounts: { alice: "60", bob: "100000", dave: "100000", erin: "100000" }, prices: { TEST: "100" } },
      reached,
    );
    // Equal equity except for the gain: the account that bought lower ranks first.
    v.do(v.sell("bob", "3", "100"), v.buy("dave", "3", "100"));
    v.do(v.price("90"), v.sell("bob", "3", "90"), v.buy("erin", "3", "90"));
    v.do(v.price("100"), v.buy("bob", "6", "100"), v.sell("alice", "6", "100"));
    const story = v.do(v.price("115"));
    expect(story.of("deleveraged").map(({ counterparty }) => v.nameOf(counterparty as AccountRow))).toEqual([
      "erin",
      "dave",
    ]);
    expect(v.usd("alice")).toBe("0");
  });

  /**
   * Bob, alice's only counterparty, has lost so much elsewhere that the bankruptcy price would make him fall below
   * maintenance.
   */
  const cornered = (fund = "0") => {
    const v = new TestVenue(
      {
        markets: { TEST: {}, MORE: { tickSize: "0.01" } },
        accounts: { alice: "100", bob: "200", dave: "100000" },
        prices: { TEST: "100", MORE: "10" },
        insurance: fund,
      },
      reached,
    );
    const more = { market: "MORE" };
    v.do(v.sell("bob", "10", "100"), v.buy("alice", "10", "100"));
    v.do(v.sell("dave", "100", "10", more), v.buy("bob", "100", "10", more));
    return v;
  };

  test("an account that would fall below maintenance margin is skipped; the rest closes at the mark, the loss is shared, then bad debt", () => {
    const v = cornered();
    // Bob: 200 + 150 - 265 = 85, maintenance 79.25. At 90 he would keep 35 of 36.75.
    const story = v.do(v.price("85"), v.price("7.35", { market: "MORE" }));
    expect(story.of("deleveraged")).toMatchObject([{ way: CLOSE_KIND.closeOut, size: 10, value: 850e6 }]);
    expect(story.of("lossSocialized")).toMatchObject([{ account: v.row("bob"), amount: 48.25e6 }]);
    expect(story.of("badDebtChanged")).toMatchObject([{ delta: 1.75e6 }]);
    expect(stages(story)).toEqual(["bookClosing", "insuranceCover", "deleveraging", "socialized", "completed"]);
    expect([v.usd("alice"), v.health("bob").equity, v.health("bob").maintenance]).toEqual(["0", 36.75e6, 36.75e6]);
    // Debt is repaid before the fund grows.
    v.do(v.fund("1"));
    expect([v.total("badDebt"), v.total("insurance")]).toEqual([750_000n, 0n]);
    v.do(v.fund("5"));
    expect([v.total("badDebt"), v.total("insurance")]).toEqual([0n, 4_250_000n]);
  });

  test("a fund with a balance pays the deficit before any account shares it", () => {
    const v = cornered("45");
    const story = v.do(v.price("85"), v.price("7.35", { market: "MORE" }));
    expect(insurance(story)).toEqual([["deficit", -45]]);
    expect(story.of("lossSocialized")).toMatchObject([{ amount: 5e6 }]);
    expect([v.total("insurance"), v.total("badDebt")]).toEqual([0n, 0n]);
  });

  test("the fund pays a flat account below zero at once (LIQ-7)", () => {
    const v = new TestVenue({ accounts: { alice: "5" }, insurance: "3", prices: { TEST: "100" } }, reached);
    // Nothing in the rules makes one, so it is put there, with the money counted as gone out.
    v.state.accounts.collateral[v.row("alice")] = -4e6 as Amount;
    v.state.totals.add(TOTAL.withdrawals, 9e6 as Amount);
    v.state.risk.markDirty(v.state.accounts, v.row("alice"));
    const story = v.do();
    expect(insurance(story)).toEqual([["deficit", -3]]);
    expect([v.usd("alice"), v.total("badDebt")]).toEqual(["0", 1_000_000n]);
  });
});

describe("the queue", () => {
  const crowd = (liquidationsMax: number) => {
    const v = new TestVenue(
      {
        markets: { TEST: {}, MORE: {} },
        accounts: { a: "100", b: "110", c: "120", d: "125", e: "100", ...rich },
        prices: { TEST: "100", MORE: "100" },
        genesis: { liquidationsMax },
      },
      reached,
    );
    for (const who of ["a", "b", "c", "d"]) v.do(v.sell("bob", "10", "100"), v.buy(who, "10", "100"));
    v.do(v.sell("bob", "10", "100", { market: "MORE" }), v.buy("e", "10", "100", { market: "MORE" }));
    v.do(v.buy("carol", "900", "90"));
    return v;
  };
  const named = (v: TestVenue, list: readonly { readonly account: number }[]) =>
    list.map(({ account }) => v.nameOf(account as AccountRow));
  const started = (v: TestVenue, story: Story) => named(v, story.of("liquidationStarted"));

  test("the worst ratio comes first, and all in one block if the limit allows it", () => {
    const v = crowd(10);
    expect(started(v, v.do(v.price("91"), v.price("90.5", { market: "MORE" })))).toEqual(["e", "a", "b", "c", "d"]);
  });

  test("those left over come first in the next block, oldest first, though a newcomer is worse", () => {
    const v = crowd(1);
    const first = v.do(v.price("91"));
    expect([started(v, first), named(v, first.of("liquidationQueued"))]).toEqual([["a"], ["b", "c", "d"]]);
    const second = v.do(v.price("90.5", { market: "MORE" }));
    expect(started(v, second)).toEqual(["b"]);
    expect(second.of("liquidationQueued")).toMatchObject([
      { account: v.row("b"), since: 0 },
      { account: v.row("e"), since: v.state.height },
    ]);
    expect([started(v, v.do()), started(v, v.do()), started(v, v.do())]).toEqual([["c"], ["d"], ["e"]]);
  });

  test("while accounts are left over, their markets accept no new exposure", () => {
    const v = crowd(1);
    const outcomes = (...steps: Step[]) => v.run(...steps).outcomes;
    expect(
      outcomes(
        v.price("91"),
        v.buy("dave", "1", "91"),
        v.buy("dave", "1", "100", { market: "MORE" }),
        v.buy("bob", "1", "91", { reduceOnly: true }),
      ),
    ).toEqual(["applied", "EXPOSURE_FROZEN", "applied", "applied"]);
    for (let block = 0; block < 4; block++) v.run();
    expect(outcomes(v.buy("dave", "1", "91"))).toEqual(["applied"]);
  });

  test("an account that recovers while waiting leaves the queue", () => {
    const v = crowd(1);
    v.do(v.price("91"));
    const story = v.do(v.price("100"));
    expect([started(v, story), story.of("liquidationQueued").every(({ since }) => since === 0)]).toEqual([[], true]);
    expect(story.of("liquidationQueued").length).toBeGreaterThan(0);
  });
});

// Goal: conservation, no due account forgotten, no account worse off than promised. Method: leveraged random crowds and
// crashing marks; the audit runs after every block; candidates are compared with a check of every account; margin
// accounts with positive equity keep equity / maintenance.
test("random crashes: books balance, every due account has a liquidation step, and a step makes no margin account worse", () => {
  const names = ["a", "b", "c", "d", "e"];
  const trade = fc.record({
    who: fc.constantFrom(...names),
    lots: fc.integer({ min: 1, max: 60 }),
    buys: fc.boolean(),
    market: fc.constantFrom("TEST", "MORE"),
  });
  const crash = fc.record({
    test: fc.integer({ min: 80, max: 120 }),
    more: fc.integer({ min: 70, max: 140 }),
    bids: fc.integer({ min: 0, max: 40 }),
  });
  const seen = new Map<string, number>();
  fc.assert(
    fc.property(
      fc.array(trade, { minLength: 6, maxLength: 16 }),
      fc.array(crash, { minLength: 1, maxLength: 6 }),
      fc.constantFrom("0", "30", "500"),
      (trades, crashes, fund) => {
        const balances = Object.fromEntries(names.map((name, place) => [name, `${200 + place * 50}`]));
        const v = new TestVenue(
          {
            markets: {
              TEST: { takerFee: "0.0005", makerFee: "-0.0001", priceBand: "1000000" },
              MORE: { tier2: "2000 0.2 0.1", priceBand: "1000000" },
            },
            accounts: { ...balances, rich: "100000" },
            house: { house: "0" },
            insurance: fund,
            prices: { TEST: "100", MORE: "100" },
          },
          reached,
        );
        for (const { who, lots, buys, market } of trades) {
          const options = { market } as const;
          v.run(
            v.order("house", buys ? "sell" : "buy", `${Math.ceil(lots / 3)}`, "100", options),
            v.order(who, buys ? "buy" : "sell", `${lots}`, "100", options),
          );
        }
        for (const { test: testMark, more, bids } of crashes) {
          if (bids > 0) {
            v.run(
              v.cancelAll("rich"),
              v.order("rich", bids % 2 === 0 ? "buy" : "sell", `${bids}`, `${testMark}`),
              v.order("rich", bids % 2 === 0 ? "buy" : "sell", `${bids}`, `${more}`, { market: "MORE" }),
            );
          }
          const before = new Map(names.map((name) => [name, v.health(name)]));
          const story = v.run(v.price(`${testMark}`), v.price(`${more}`, { market: "MORE" }));
          const had = new Set(
            story.events.filter(isLiquidationStep).map(({ account }) => v.nameOf(account as AccountRow)),
          );
          for (const stage of stages(story)) seen.set(stage!, (seen.get(stage!) ?? 0) + 1);
          for (const name of names) {
            const { equity, maintenance, overflow } = v.health(name);
            expect(overflow).toBe(false);
            // An account below maintenance after an idle block had a step in it, or lost by others' steps and waits for
            // one.
            if (equity < maintenance && !had.has(name)) {
              const touched =
                story.of("positionChanged").some(({ account }) => account === v.row(name)) ||
                story.of("lossSocialized").some(({ account }) => account === v.row(name));
              expect(touched).toBe(true);
            }
            if (v.lots(name) === 0 && v.lots(name, "MORE") === 0) expect(v.units(name)).toBeGreaterThanOrEqual(0);
          }
          for (const { account, equity, maintenance } of story.events.filter(isLiquidationStep)) {
            const after = v.health(v.nameOf(account as AccountRow));
            const flat = after.notional === 0;
            if (flat || equity < 0) continue;
            // A unit or two of rounding per position either way.
            expect((after.equity + 8) * maintenance).toBeGreaterThanOrEqual(equity * (after.maintenance - 8));
          }
          expect(before.size).toBe(names.length);
        }
      },
    ),
    { numRuns: 120, seed: 20_250_924 },
  );
  for (const stage of ["bookClosing", "recovered", "completed", "insuranceCover", "deleveraging"]) {
    expect(`${stage} ${(seen.get(stage) ?? 0) > 3}`).toBe(`${stage} true`);
  }
});

afterAll(() => {
  const ofLiquidation = EVENT_KINDS.filter((kind) => /^(liquidation|deleveraged|loss|badDebt|insurance)/.test(kind));
  expect(ofLiquidation.filter((kind) => !reached.names.has(kind))).toEqual([]);
});
