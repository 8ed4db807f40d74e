/** The end of a market (MKT): everything closed at one price, to the unit, whether or not accounts can pay. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CANCEL_CAUSE } from "../../../../src/protocol/events.ts";
import { MARKET_STATUS } from "../../../../src/protocol/words.ts";
import type { Step } from "../../../helpers/venue/traderSteps.ts";
import { TestVenue, type VenueOptions } from "../../../helpers/venue.ts";

/** Alice long 10 at 100 against bob, in TEST. */
const open = (options: VenueOptions = {}) => {
  const v = new TestVenue({
    markets: { TEST: {}, MORE: {} },
    accounts: { alice: "200", bob: "1000", carol: "1000" },
    prices: { TEST: "100", MORE: "100" },
    ...options,
  });
  v.do(v.sell("bob", "10", "100"), v.buy("alice", "10", "100"));
  return v;
};

/** Why a step is rejected, with its numbers. */
const refusal = (v: TestVenue, step: Step) => {
  const [receipt] = v.run(step).receipts;
  return [receipt!.code, receipt!.numbers];
};

const statusOf = (v: TestVenue) => v.state.parameters[v.marketRow()]!.status;

describe("a market is settled", () => {
  test("orders are cancelled, positions closed at the price beyond every clamp, and nothing is left", () => {
    const v = open();
    v.do(v.buy("carol", "1", "90"), v.sell("carol", "1", "110"), v.buy("carol", "1", "90", { market: "MORE" }));
    const story = v.do(v.settle("83"));
    expect(story.of("orderCancelled").map(({ cause }) => cause)).toEqual([
      CANCEL_CAUSE.settlement,
      CANCEL_CAUSE.settlement,
    ]);
    expect([v.usd("alice"), v.usd("bob"), v.usd("carol")]).toEqual(["30", "1170", "1000"]);
    expect([v.lots("alice"), v.lots("bob"), statusOf(v), v.book("MORE")]).toEqual([
      0,
      0,
      MARKET_STATUS.settled,
      ["buy 1@90 carol"],
    ]);
  });

  test("from every status that allows it, also from settling; it is then settled for ever", () => {
    for (const status of ["active", "cancelOnly", "reduceOnly", "halted", "settling"] as const) {
      const v = open();
      if (status !== "active") v.do(v.status(status));
      v.do(v.settle("101"));
      expect([v.usd("alice"), statusOf(v)]).toEqual(["210", MARKET_STATUS.settled]);
      expect(v.try(v.settle("101"))).toBe("STATUS_NOT_REACHABLE");
      expect(v.try(v.status("active"))).toBe("STATUS_NOT_REACHABLE");
      expect(v.try(v.buy("alice", "1", "100"))).toBe("MARKET_CLOSED");
      v.do(v.withdraw("alice", "210"));
    }
  });

  test("funding is settled first, and what the pool keeps goes to dust", () => {
    const v = open();
    v.do(v.price("100", { funding: "0.01" }));
    const story = v.do(v.settle("100"));
    expect(story.of("fundingSettled")).toHaveLength(2);
    expect([v.usd("alice"), v.usd("bob")]).toEqual(["190", "1010"]);
  });

  test("off the grid every value is rounded down, and the dust account keeps the rest", () => {
    const v = open();
    const dust = v.state.markets.dust[v.marketRow()]!;
    v.do(v.settle("100.00000001"));
    expect([v.usd("alice"), v.usd("bob"), v.state.markets.dust[v.marketRow()]! - dust]).toEqual([
      "200",
      "999.999999",
      1,
    ]);
  });
});

describe("a settlement is refused, with numbers,", () => {
  test("where the lifecycle has no step to it", () => {
    for (const status of ["initializing", "postOnly"]) {
      const v = new TestVenue({ markets: { TEST: { status } }, prices: { TEST: "100" } });
      expect(refusal(v, v.settle("100"))).toEqual(["STATUS_NOT_REACHABLE", { from: status, to: "settled" }]);
    }
  });

  test("at zero, or above what a position at its limit could be valued at; the greatest price is fine", () => {
    const v = open({ markets: { TEST: { positionLimit: "100000" }, MORE: {} } });
    const most = v.state.parameters[v.marketRow()]!.priceMost;
    const text = (units: number) => (BigInt(units) / 100_000_000n).toString().concat(fraction(units));
    expect(refusal(v, v.settle("0"))).toEqual(["PRICE_REQUIRED", { price: 0, least: 1 }]);
    expect(refusal(v, v.settle(text(most + 1)))).toEqual(["NUMERIC_LIMIT", { price: most + 1, most }]);
    v.do(v.settle(text(most)));
    expect(statusOf(v)).toBe(MARKET_STATUS.settled);
    expect(v.state.markets.mark[v.marketRow()]).toBe(most);
  });

  test("the least price is no fault, either", () => {
    const v = open();
    v.do(v.settle("0.00000001"));
    // Alice sells ten for 0.0000001, which is nothing; bob buys them for a unit.
    expect([v.usd("alice"), v.usd("bob"), v.total("badDebt")]).toEqual(["0", "1199.999999", 0n]);
  });
});

/** Digits after the point of a price in 1e-8 USD, with the point. */
function fraction(units: number): string {
  const digits = String(units % 1e8)
    .padStart(8, "0")
    .replace(/0+$/, "");
  return digits === "" ? "" : `.${digits}`;
}

describe("a settlement closes", () => {
  test("intents of the market, and no others", () => {
    const v = open();
    v.do(v.intent("alice", "stop", { size: "10", trigger: "90", reduceOnly: true }));
    v.do(v.intent("bob", "stop", { market: "MORE", size: "1", trigger: "90" }));
    const story = v.do(v.settle("100"));
    expect(story.of("intentCancelled")).toHaveLength(1);
    expect(v.state.intents.rows.count).toBe(1);
  });

  test("isolated positions, whose collateral returns to cross; their deficit never reaches cross", () => {
    for (const [at, alice] of [
      ["105", "1050"],
      ["95", "950"],
      ["90", "900"],
      ["89.99", "900"],
    ] as const) {
      const v = new TestVenue({
        markets: { TEST: {} },
        accounts: { alice: "1000", bob: "1000" },
        prices: { TEST: "100" },
      });
      v.do(v.leverage("alice", 10), v.mode("alice", "isolated"));
      v.do(v.sell("bob", "10", "100"), v.buy("alice", "10", "100"));
      v.do(v.settle(at));
      expect([at, v.usd("alice"), v.isolated("alice")]).toEqual([at, alice, "0"]);
      // Bob gains what alice had: the part that her margin account lacked is taken from him again.
      expect([v.usd("bob"), v.total("badDebt")]).toEqual([at === "105" ? "950" : at === "95" ? "1050" : "1100", 0n]);
    }
  });

  test("positions of the house, too, and a house may stay negative", () => {
    const v = new TestVenue({
      accounts: { bob: "1000" },
      house: { house: "200" },
      prices: { TEST: "100" },
    });
    v.do(v.sell("bob", "10", "100"), v.buy("house", "10", "100"));
    v.do(v.settle("70"));
    expect([v.usd("house"), v.usd("bob"), v.total("badDebt"), v.lots("house")]).toEqual(["-100", "1300", 0n, 0]);
  });
});

describe("the fund pays", () => {
  // Alice lacks 100: the fund has n - 1, n, n + 1 units of it.
  for (const [fund, cut, left] of [
    ["99.999999", 1, "0"],
    ["100", 0, "0"],
    ["100.000001", 0, "0.000001"],
  ] as const) {
    test(`${fund} of 100, and those who gained ${cut} of the last unit`, () => {
      const v = open({
        insurance: fund,
        markets: {
          TEST: { insuranceCapMarket: "1", insuranceCapAccount: "1000000", insuranceCapOwner: "1000000" },
          MORE: {},
        },
      });
      const story = v.do(v.settle("70"));
      expect(story.of("settlementHaircut").map(({ amount }) => amount)).toEqual(cut === 0 ? [] : [cut]);
      expect([v.usd("alice"), v.total("insurance"), v.total("badDebt")]).toEqual([
        "0",
        BigInt(Math.round(Number(left) * 1e6)),
        0n,
      ]);
    });
  }
});

describe("a deficit of an account is paid", () => {
  test("by the fund as far as it goes, then by those who gained, and no other account", () => {
    // Alice owes 300 and has 200: of 100 the fund has 40; in its caps it pays a tenth of that a day.
    const v = open({ insurance: "40", markets: { TEST: { insuranceCapMarket: "1" }, MORE: {} } });
    const before = Number(v.total("insurance"));
    const story = v.do(v.settle("70"));
    const paid = before - Number(v.total("insurance"));
    expect(v.usd("alice")).toBe("0");
    expect(paid).toBeGreaterThan(0);
    expect(story.of("settlementHaircut")).toMatchObject([{ amount: 100_000_000 - paid }]);
    expect([v.usd("carol"), v.total("badDebt")]).toEqual(["1000", 0n]);
  });

  test("pro rata to gains, rounded down, the rest as bad debt", () => {
    const v = new TestVenue({
      markets: { TEST: {} },
      accounts: { alice: "100", bob: "1000", carol: "1000", dave: "1000" },
      prices: { TEST: "100" },
    });
    v.do(v.sell("bob", "1", "100"), v.sell("carol", "1", "100"), v.sell("dave", "1", "100"));
    v.do(v.buy("alice", "3", "100"));
    v.do(v.settle("50"));
    // Alice lacks 50; three pay 16.666666 each, and two units are bad debt.
    expect(["bob", "carol", "dave"].map((name) => v.usd(name))).toEqual(["1033.333334", "1033.333334", "1033.333334"]);
    expect([v.usd("alice"), v.total("badDebt")]).toEqual(["0", 2n]);
  });

  test("a margin account with other positions is left to the risk pass of the block", () => {
    const v = open({ accounts: { alice: "200", bob: "1000", carol: "5000" } });
    v.do(v.sell("carol", "5", "100", { market: "MORE" }), v.buy("alice", "5", "100", { market: "MORE" }));
    const story = v.do(v.settle("75"));
    expect(story.of("settlementHaircut")).toEqual([]);
    expect(story.of("liquidationStarted")).toHaveLength(1);
    expect(v.lots("alice", "MORE")).toBe(0);
  });
});

// Goal: whatever is held and at whatever price, settlement conserves value to the unit and leaves nothing open. The
// books are checked after every block by the venue of the tests.
test("settlement at any price conserves value and leaves no size", () => {
  const trade = fc.record({
    buyer: fc.constantFrom("alice", "bob", "carol"),
    seller: fc.constantFrom("alice", "bob", "carol"),
    lots: fc.integer({ min: 1, max: 9 }),
  });
  fc.assert(
    fc.property(fc.array(trade, { maxLength: 12 }), fc.integer({ min: 1, max: 40_000_000_000 }), (trades, at) => {
      const v = new TestVenue({
        accounts: { alice: "100", bob: "150", carol: "1000" },
        insurance: "30",
        prices: { TEST: "100" },
      });
      for (const { buyer, seller, lots } of trades) {
        v.run(v.sell(seller, String(lots), "100"), v.buy(buyer, String(lots), "100"));
      }
      const text = `${Math.floor(at / 1e8)}.${String(at % 1e8).padStart(8, "0")}`.replace(/\.?0+$/, "");
      v.do(v.settle(text));
      expect(["alice", "bob", "carol"].map((name) => v.lots(name))).toEqual([0, 0, 0]);
      for (const name of ["alice", "bob", "carol"])
        expect(v.state.accounts.collateral[v.row(name)]).toBeGreaterThanOrEqual(0);
    }),
    { numRuns: 60 },
  );
});
