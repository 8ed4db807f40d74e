import { afterAll, describe, expect, test } from "vitest";
import { CLOSE_KIND, INSURANCE_CAUSES, LIQUIDATION_STAGES } from "../../../../src/protocol/events.ts";
import { isLiquidationStep } from "../../../../src/protocol/liquidationStep.ts";
import type { AccountRow } from "../../../../src/venue/engine/state/schema.ts";
import type { Story } from "../../../helpers/venue/story.ts";
import { Reached, TestVenue, type VenueOptions } from "../../../helpers/venue.ts";

const reached = new Reached();
const rich = { bob: "100000", carol: "1000000" };
const MORE = { market: "MORE" };

/** Maintenance 5 %, initial 10 %, no fees; alice is long 10 at 100 with 100. */
const open = (backstops: Readonly<Record<string, string>>, options: VenueOptions = {}) => {
  const v = new TestVenue(
    { accounts: { alice: "100", ...rich }, prices: { TEST: "100" }, backstops, ...options },
    reached,
  );
  v.do(v.sell("bob", "10", "100"), v.buy("alice", "10", "100"));
  return v;
};
const stages = (story: Story) => story.of("liquidationStage").map(({ stage }) => LIQUIDATION_STAGES[stage]);
/** Blocks at an oracle price, until a liquidation begins in distress; the story of that block. */
const fall = (v: TestVenue, oracle: string): Story => {
  for (let count = 0; count < 20; count++) {
    const story = v.do(v.price(oracle));
    if (story.events.filter(isLiquidationStep).some(({ equity, maintenance }) => equity * 3 < maintenance * 2))
      return story;
  }
  throw new Error("no account was in distress");
};
const taken = (v: TestVenue, story: Story) =>
  story
    .of("deleveraged")
    .filter(({ way }) => way === CLOSE_KIND.takeover)
    .map(({ counterparty, size, value }) => `${v.nameOf(counterparty as AccountRow)} ${size} for ${value / 1e6}`);

describe("the backstop takes over (LIQ-3)", () => {
  test("at the bankruptcy price, with the margin that was left", () => {
    const v = open({ pool: "1000" });
    // At 93: equity 30, maintenance 46.5, less than two thirds. Bankruptcy price 90.
    const story = v.do(v.price("93"));
    expect([taken(v, story), stages(story)]).toEqual([["pool 10 for 900"], ["bookClosing", "backstop", "completed"]]);
    expect([v.usd("alice"), v.lots("alice"), v.lots("pool"), v.health("pool").equity]).toEqual(["0", 0, 10, 1030e6]);
  });

  // A block moves the mark by 1 %, the oracle is where it was reported. Long 10 at 100 with 100: the bankruptcy price
  // is 90, and two thirds of maintenance are left below 93.103449.
  test.each([
    ["0", "90", ["pool 10 for 900"]],
    ["0", "89.999999", []],
    ["0.1", "81.818182", ["pool 10 for 900"]],
    ["0.1", "81.818181", []],
    ["1", "45", ["pool 10 for 900"]],
    ["1", "44.999999", []],
    ["1000000", "1", ["pool 10 for 900"]],
  ])(
    "no further beyond the oracle price than %s of it: a long at an oracle price of %s",
    (distance, oracle, expected) => {
      const v = open(
        { pool: "1000" },
        {
          markets: {
            TEST: { takeoverDistance: distance, oracleVolatile: "0", markMethod: "oracle", markClamp: "0.01" },
          },
        },
      );
      const story = fall(v, oracle);
      expect(taken(v, story)).toEqual(expected);
    },
  );

  test.each([
    ["0", "110", ["pool 10 for -1100"]],
    ["0", "110.000001", []],
    ["0.2", "137.5", ["pool 10 for -1100"]],
    ["0.2", "137.500001", []],
    ["1", "100000", ["pool 10 for -1100"]],
  ])(
    "no further beyond the oracle price than %s of it: a short at an oracle price of %s",
    (distance, oracle, expected) => {
      const v = new TestVenue(
        {
          accounts: { alice: "100", ...rich },
          prices: { TEST: "100" },
          backstops: { pool: "1000" },
          markets: {
            TEST: { takeoverDistance: distance, oracleVolatile: "0", markMethod: "oracle", markClamp: "0.01" },
          },
        },
        reached,
      );
      v.do(v.buy("bob", "10", "100"), v.sell("alice", "10", "100"));
      const story = fall(v, oracle);
      expect(taken(v, story)).toEqual(expected);
    },
  );

  test("shorts are the mirror", () => {
    const v = new TestVenue({
      accounts: { alice: "100", ...rich },
      prices: { TEST: "100" },
      backstops: { pool: "1000" },
    });
    v.do(v.buy("bob", "10", "100"), v.sell("alice", "10", "100"));
    const story = v.do(v.price("107"));
    expect([taken(v, story), v.usd("alice"), v.lots("pool")]).toEqual([["pool 10 for -1100"], "0", -10]);
  });

  test.each([
    // At 100 - x: equity 100 - 10 x, maintenance 50 - x / 2; two thirds of it at x = 200 / 29 = 6.896551...
    ["93.103448", ["pool 10 for 900"]],
    ["93.103449", []],
    ["90.000001", ["pool 10 for 900"]],
    ["90", []],
  ])("only with equity below two thirds of maintenance margin and above zero: at %s %j", (mark, wanted) => {
    const v = open({ pool: "1000" });
    expect(taken(v, v.do(v.price(mark)))).toEqual(wanted);
  });

  test("does not pay for a deficit: a margin account that bids above the mark lifted above nothing waits for its next bankruptcy price", () => {
    const v = open({ pool: "1000" }, { markets: { TEST: { liquidationFee: "0" } } });
    v.do(v.buy("carol", "6", "92"));
    // At 88: equity -20, bankruptcy price 90. Six go to carol at 92: equity 4, two thirds of maintenance 11.7; 90 is
    // above the mark.
    const story = v.do(v.price("88"));
    expect([taken(v, story), v.lots("alice"), v.health("alice").equity]).toEqual([[], 4, 4e6]);
    // Its bankruptcy price is now 88 - 4 / 4.
    expect(taken(v, v.do(v.price("88")))).toEqual(["pool 4 for 348"]);
  });

  test("comes after the order book and takes only the rest", () => {
    const v = open({ pool: "1000" });
    v.do(v.buy("carol", "4", "91"));
    const story = v.do(v.price("93"));
    // Bankruptcy price 90: the fee takes the rest of each lot up to a percent of it.
    expect([v.fills(story), taken(v, story)]).toEqual([["4@91 carol>alice"], ["pool 6 for 540"]]);
  });

  test("takes as many lots as leave its equity at its initial margin, and the next of them the rest", () => {
    // Each lot needs 9.3 at the mark of 93 and brings 3: 6.3 a lot.
    const of = (balance: string) => {
      const v = open({ pool: balance, "pool/1": "1000" });
      return taken(v, v.do(v.price("93")));
    };
    expect(of("25.199999")).toEqual(["pool 3 for 270", "pool/1 7 for 630"]);
    expect(of("25.2")).toEqual(["pool 4 for 360", "pool/1 6 for 540"]);
    expect(of("25.200001")).toEqual(["pool 4 for 360", "pool/1 6 for 540"]);
    expect(of("0")).toEqual(["pool/1 10 for 900"]);
  });

  test("lots that no backstop can take stay, and are offered again in the next block", () => {
    const v = open({ pool: "25.2" });
    v.do(v.price("93"));
    expect([v.lots("alice"), v.lots("pool")]).toEqual([6, 4]);
    // The bankruptcy price is the same: nothing else happened to the margin account.
    const story = v.do(v.deposit("pool", "12.6"));
    expect([taken(v, story), v.lots("alice")]).toEqual([["pool 2 for 180"], 4]);
  });

  test("a position on the other side makes room", () => {
    const v = open({ pool: "100" });
    v.do(v.sell("pool", "8", "100"), v.buy("bob", "8", "100"));
    // Short 8 at 93: equity 156, needs 74.4; with 10 more long 2, needs 18.6.
    expect(taken(v, v.do(v.price("93")))).toEqual(["pool 10 for 900"]);
    expect(v.lots("pool")).toBe(2);
  });

  test("a margin account of two markets is taken over position by position, to the last lot", () => {
    const v = new TestVenue(
      {
        markets: { TEST: {}, MORE: { tickSize: "0.01" } },
        accounts: { alice: "100", ...rich },
        prices: { TEST: "100", MORE: "10" },
        backstops: { pool: "10000" },
      },
      reached,
    );
    v.do(v.sell("bob", "5", "100"), v.buy("alice", "5", "100"));
    v.do(v.sell("bob", "30", "10", MORE), v.buy("alice", "30", "10", MORE));
    const story = v.do(v.price("91"), v.price("8.9", MORE));
    expect([taken(v, story).length, v.usd("alice"), v.lots("alice"), v.lots("alice", "MORE")]).toEqual([2, "0", 0, 0]);
  });
});

describe("the backstop unwinds (LIQ-3)", () => {
  /** The pool holds 10 that it took over at 90. */
  const holding = (options: VenueOptions = {}, balance = "1000") => {
    const v = open({ pool: balance }, options);
    v.do(v.price("93"));
    expect(v.lots("pool")).toBe(10);
    return v;
  };

  test("into the book, in the next risk pass, without fees, up to half a percent below the mark", () => {
    const v = holding({
      markets: { TEST: { tickSize: "0.01", takerFee: "0.001", makerFee: "0" } },
      accounts: { alice: "101", ...rich },
    });
    const before = v.units("pool");
    const cost = v.cost("pool");
    v.do(v.buy("carol", "4", "92.54"), v.buy("carol", "5", "92.53"));
    // 93 * 0.995 = 92.535.
    const story = v.do();
    expect(v.fills(story)).toEqual(["4@9254 carol>pool"]);
    expect(story.of("backstopUnwound")).toMatchObject([{ account: v.row("pool"), lots: 10, cooldownMs: 0 }]);
    expect(story.of("fill")[0]).toMatchObject({ takerFee: 0 });
    expect(v.units("pool") - before).toBe(4 * 92.54e6 - (cost * 4) / 10);
    expect(v.do().of("backstopUnwound")).toEqual([]);
  });

  test("above the whole size in chunks with a cooldown", () => {
    const v = holding({ markets: { TEST: { liquidationWhole: "929.999999" } } });
    v.do(v.buy("carol", "50", "93"));
    const first = v.do();
    expect([v.fills(first), first.of("backstopUnwound")[0]?.cooldownMs]).toEqual([
      ["2@93 carol>pool"],
      v.state.timeMs + 30_000,
    ]);
    const at = v.state.timeMs;
    v.runAt(at + 29_999);
    expect(v.lots("pool")).toBe(8);
    v.runAt(at + 30_000);
    expect(v.lots("pool")).toBe(0); // 744 is whole
  });

  test("its orders that add to a position are cancelled first", () => {
    const v = holding();
    v.do(v.buy("pool", "1", "80"), v.sell("pool", "1", "110"), v.buy("carol", "3", "93"));
    v.do();
    expect([v.lots("pool"), v.book()]).toEqual([7, ["sell 1@110 pool"]]);
  });
});

describe("the backstop's own end (LIQ-3)", () => {
  test("below its maintenance it is liquidated in the book", () => {
    const v = open({ pool: "70" });
    v.do(v.price("93"));
    expect(v.lots("pool")).toBe(10);
    // At 87: equity 70 + 870 - 900 = 40, maintenance 43.5.
    v.do(v.buy("carol", "10", "87"));
    const story = v.do(v.price("87"));
    expect(story.of("liquidationStarted")).toMatchObject([
      { account: v.row("pool"), equity: 40e6, maintenance: 43.5e6 },
    ]);
    expect([v.fills(story), v.lots("pool")]).toEqual([["10@87 carol>pool"], 0]);
  });

  test("it is deleveraged when its equity is gone; other backstops do not take over from a margin account without equity", () => {
    const v = open({ pool: "70", "pool/1": "1000" });
    v.do(v.price("93"));
    const story = v.do(v.price("82"));
    expect(story.of("deleveraged")).toMatchObject([
      { way: CLOSE_KIND.deleveraging, account: v.row("pool"), counterparty: v.row("bob"), size: 10, value: 830e6 },
    ]);
    expect([v.usd("pool"), v.lots("pool"), v.lots("pool/1")]).toEqual(["0", 0, 0]);
  });

  test("another backstop takes over from it while it has equity", () => {
    const v = open({ pool: "70", "pool/1": "1000" });
    v.do(v.price("93"));
    const story = v.do(v.price("85"));
    expect([taken(v, story), v.usd("pool")]).toEqual([["pool/1 10 for 830"], "0"]);
  });

  test("its reserve beyond the loss limit is untouched: once the limit is lost it takes nothing and is deleveraged", () => {
    // It may lose 70 of 1,000.
    const v = open({ pool: "1000 70" });
    v.do(v.price("93"));
    expect(v.lots("pool")).toBe(10);
    // 970 is 40 above the reserve of 930 ...
    expect(v.do(v.price("87")).of("liquidationStarted")).toMatchObject([{ equity: 40e6, maintenance: 43.5e6 }]);
    // ... and 920 is below it: z = 83.
    const story = v.do(v.price("82"));
    expect(story.of("deleveraged")).toMatchObject([{ counterparty: v.row("bob"), size: 10, value: 830e6 }]);
    expect([v.usd("pool"), v.lots("pool")]).toEqual(["930", 0]);
  });

  test.each([
    ["62.999999", 9],
    ["63", 10],
    ["0", 0],
    ["5000", 10],
  ])("with a loss limit of %s it takes over as if that were all of its collateral: %i lots", (limit, lots) => {
    const v = open({ pool: `1000 ${limit}` });
    v.do(v.price("93"));
    expect(v.lots("pool")).toBe(lots);
  });

  test("the fund pays for it as for others, never from its reserve", () => {
    const v = open({ pool: "1000 70" }, { insurance: "1000" });
    v.do(v.price("93"));
    v.do(v.buy("carol", "10", "82"));
    const story = v.do(v.price("82"));
    expect(story.of("insuranceChanged").map(({ cause, delta }) => [INSURANCE_CAUSES[cause], delta])).toEqual([
      ["cover", -10e6],
    ]);
    expect(v.usd("pool")).toBe("930");
  });

  test("only a backstop has a loss limit, and it is an amount", () => {
    const of = (role: "normal" | "backstop", lossLimit: string) => () =>
      new TestVenue({
        genesis: { accounts: [{ address: `0x${"0".repeat(40)}`, subaccount: 0, role, balance: "5", lossLimit }] },
      });
    expect(of("backstop", "5")).not.toThrow();
    expect(of("normal", "5")).toThrow(/only a backstop/);
    expect(of("backstop", "-5")).toThrow(/must not be negative/);
    expect(of("backstop", "x")).toThrow(/lossLimit/);
  });
});

afterAll(() => {
  expect(reached.names.has("backstopUnwound")).toBe(true);
});
