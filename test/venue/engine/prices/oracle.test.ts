import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { OPERATION, OPERATIONS, VALIDITIES, VALIDITY_MATRIX } from "../../../../src/protocol/validity.ts";
import { acceptPrice } from "../../../../src/venue/engine/prices/oracle.ts";
import { allows } from "../../../../src/venue/engine/prices/validity.ts";
import { weightedMedian } from "../../../../src/venue/engine/prices/weightedMedian.ts";
import type { Step } from "../../../helpers/venue/traderSteps.ts";
import { TestVenue, type VenueOptions } from "../../../helpers/venue.ts";

const E8 = 1e8;

describe("the weighted median (PRC-1)", () => {
  test("is the lower of two with equal weight, and follows weight", () => {
    const of = (...pairs: [number, number][]) => weightedMedian(pairs.map(([value, weight]) => ({ value, weight })));
    expect([of([100, 1], [110, 1]), of([100, 1], [110, 2]), of([110, 2], [100, 1], [90, 1])]).toEqual([100, 110, 100]);
    expect([of([100, 0], [7, 1]), of([100, 0]), of()]).toEqual([7, 0, 0]);
  });

  // The twin repeats every value as often as its weight and takes the lower middle one.
  test("equals the lower median of values repeated by weight, in any order", () => {
    const pair = fc.record({ value: fc.integer({ min: 1, max: 50 }), weight: fc.integer({ min: 0, max: 9 }) });
    fc.assert(
      fc.property(fc.array(pair, { maxLength: 8 }), (list) => {
        const all = list.flatMap(({ value, weight }) => Array.from({ length: weight }, () => value));
        const middle = all.sort((a, b) => a - b)[Math.ceil(all.length / 2) - 1] ?? 0;
        expect(weightedMedian(list)).toBe(middle);
        expect(weightedMedian(list.toReversed())).toBe(middle);
      }),
    );
  });
});

/** A market with every guard of prices on. */
const GUARDED = {
  markMethod: "oracle",
  oracleStale: "10000",
  oracleUncertain: "0.02",
  oracleVolatile: "2",
  oracleConfirmations: "3",
  blockGap: "0",
} as const;
const open = (more: Record<string, string> = {}, options: VenueOptions = {}) =>
  new TestVenue({
    markets: { TEST: { ...GUARDED, ...more }, OTHER: {} },
    accounts: { alice: "1000", bob: "100000", carol: "1000" },
    ...options,
  });
const validity = (v: TestVenue) => VALIDITIES[v.state.markets.validity[v.marketRow()]!];
const oracle = (v: TestVenue) => v.state.markets.oracle[v.marketRow()]! / E8;

describe("sources (PRC-1)", () => {
  const SOURCES = { sources: "a:3 b:2 c:2 idle:0", minSources: "2", oracleVolatile: "0" };

  test("make the price by the lower weighted median of the fresh ones, at least minSources of them", () => {
    const v = open(SOURCES);
    v.do(v.report({ a: "100" }));
    expect([oracle(v), validity(v)]).toEqual([0, "nonPositive"]);
    v.do(v.report({ b: "104" }));
    expect([oracle(v), v.index() / E8]).toEqual([100, 100]);
    v.do(v.report({ c: "104" }));
    expect(oracle(v)).toBe(104);
    // One that has no weight is kept and does not count.
    v.do(v.report({ idle: "500" }));
    expect(oracle(v)).toBe(104);
    expect(v.lastStory!.of("sourceReported").map(({ source, price }) => [source, price])).toEqual([[3, 500 * E8]]);
  });

  test("count while they are no older than oracleStale", () => {
    const v = open(SOURCES);
    v.do(v.report({ a: "100", b: "104" }));
    const seen = v.state.timeMs;
    v.runAt(seen + 10_000, v.report({ a: "101" }));
    expect(oracle(v)).toBe(101);
    v.runAt(seen + 10_001, v.report({ a: "102" }));
    expect(oracle(v)).toBe(101);
    v.runAt(seen + 20_001);
    expect(validity(v)).toBe("stale");
  });

  test("never go back in time, and a time ahead of the block is the block's", () => {
    const v = open(SOURCES);
    v.do(v.report({ a: "100", b: "100" }, { timeMs: 9e15 }));
    const row = v.state.markets.firstSource[v.marketRow()]!;
    expect(v.state.sources.time[row]).toBe(v.state.timeMs);
    v.do(v.report({ a: "150" }, { timeMs: 5 }));
    expect(oracle(v)).toBe(100);
  });

  test("of a market are named, and a plain price is none of them", () => {
    const v = open(SOURCES);
    expect(v.try(v.price("100"))).toBe("SOURCE_NOT_FOUND");
    expect(v.try(v.report({ d: "100" }))).toBe("SOURCE_NOT_FOUND");
    expect(v.try(v.report({ a: "100" }, { market: "OTHER" }))).toBe("SOURCE_NOT_FOUND");
    expect(v.try(v.report({ a: "0" }))).toBe("PRICE_NOT_VALID");
    expect(v.try(v.report({ a: "89000000" }))).toBe("NUMERIC_LIMIT");
    expect(v.try(v.report({}))).toBe("NOTHING_TO_DO");
  });

  test("keep their names, may change their weights, and an invalid list is refused", () => {
    const v = open(SOURCES);
    v.do(v.report({ a: "100", b: "104", c: "104" }));
    expect(v.try(v.update({ sources: "a:3 b:2" }))).toBe("PARAMETER_INVALID");
    expect(v.try(v.update({ sources: "a:9 b:2 c:2 idle:0" }))).toBe("applied");
    v.do(v.report({ c: "104" }));
    expect(oracle(v)).toBe(100);
    for (const sources of ["a", "a:1 a:2", "a:-1", "a:1  b:1", "a:01"]) {
      expect(v.try(v.create("NEW", "minimal", { sources })), sources).toBe("PARAMETER_INVALID");
    }
    for (const texts of [
      { minSources: "0" },
      { minSources: "2", sources: "a:1 b:0" },
      { oracleVolatile: "0.9" },
      { oracleConfirmations: "0" },
    ]) {
      expect(v.try(v.create("NEW", "minimal", texts))).toBe("PARAMETER_INVALID");
    }
  });
});

describe("validity (PRC-1)", () => {
  test("is uncertain while the confidence is wider than its share of the price", () => {
    const v = open({ sources: "a:1" });
    v.do(v.report({ a: "100 2" }));
    expect(validity(v)).toBe("valid");
    v.do(v.report({ a: "100 2.00000001" }));
    expect(validity(v)).toBe("tooUncertain");
    v.do(v.report({ a: "100" }));
    expect(validity(v)).toBe("valid");
  });

  test("is stale from a millisecond past oracleStale on", () => {
    const v = open();
    v.do(v.price("100"));
    const at = v.state.timeMs;
    v.runAt(at + 10_000);
    expect(validity(v)).toBe("valid");
    v.runAt(at + 10_001);
    expect(validity(v)).toBe("stale");
    v.do(v.price("100"));
    expect(validity(v)).toBe("valid");
  });

  test("is volatile beyond the ratio, until as many reports in a row say so or one comes back", () => {
    const v = open();
    v.do(v.price("100"));
    v.do(v.price("200"));
    expect([oracle(v), validity(v)]).toEqual([200, "valid"]);
    v.do(v.price("400.00000001"));
    expect([oracle(v), validity(v)]).toEqual([200, "tooVolatile"]);
    v.do(v.price("500"));
    expect([oracle(v), validity(v)]).toEqual([200, "tooVolatile"]);
    v.do(v.price("150"));
    expect([oracle(v), validity(v)]).toEqual([150, "valid"]);
    // Half and less is as far; one that contradicts the candidate starts again.
    for (const text of ["70", "60", "800", "900"]) {
      v.do(v.price(text));
      expect([oracle(v), validity(v)]).toEqual([150, "tooVolatile"]);
    }
    v.do(v.price("900"));
    expect([oracle(v), validity(v)]).toEqual([900, "valid"]);
    // Accepted, the clamp still holds the index.
    expect(v.index() / E8).toBeLessThan(110);
  });

  test("does not apply to recorded marks", () => {
    const v = open({ markMethod: "reported" });
    expect(validity(v)).toBe("nonPositive");
    v.do(v.price("100", { mark: "100" }));
    v.do(v.price("9000", { mark: "9000" }));
    v.runAt(v.state.timeMs + 1_000_000);
    expect([oracle(v), validity(v)]).toEqual([9000, "valid"]);
  });

  test("a ratio of 0 needs no confirmation, and a price is compared only with an accepted one", () => {
    const v = open({ oracleVolatile: "0" });
    for (const text of ["100", "9000", "0.5"]) {
      v.do(v.price(text));
      expect(oracle(v)).toBe(Number(text));
    }
    const w = open();
    expect(acceptPrice(w.state, w.marketRow(), 5 * E8, 0)).toBe(5 * E8);
  });
});

/** Brings a market with positions to a validity; alice is long and would be due at the price that is reported. */
const states: Readonly<Record<(typeof VALIDITIES)[number], (v: TestVenue) => void>> = {
  nonPositive: () => {},
  tooVolatile: (v) => v.do(v.report({ a: "1" })),
  tooUncertain: (v) => v.do(v.report({ a: "100 50" })),
  stale: (v) => v.runAt(v.state.timeMs + 60_000),
  valid: (v) => v.do(v.report({ a: "100" })),
};

describe("the matrix (PRC-1)", () => {
  const held = () => {
    const v = open({ sources: "a:1", markClamp: "0.04", fundingPaymentMax: "0.002" });
    v.do(v.report({ a: "100" }));
    v.do(v.sell("bob", "10", "100"), v.buy("alice", "10", "100"));
    return v;
  };

  test.each(VALIDITIES.slice(1))("a %s price allows what the table says, and nothing else", (name) => {
    const v = held();
    states[name](v);
    expect(validity(v)).toBe(name);
    const place = VALIDITIES.indexOf(name);
    for (const operation of OPERATIONS) {
      expect(allows(v.state, v.marketRow(), OPERATION[operation])).toBe(VALIDITY_MATRIX[operation][place]);
    }
    const outcome = (step: Step, operation: keyof typeof OPERATION) => {
      const refused = VALIDITY_MATRIX[operation][place] ? "applied" : "PRICE_NOT_VALID";
      expect(v.runAt(v.state.timeMs + 1, step).outcomes).toEqual([refused]);
    };
    outcome(v.withdraw("bob", "1"), "withdraw");
    outcome(v.transfer("bob", "carol", "1"), "withdraw");
    outcome(v.leverage("bob", 5), "margin");
    outcome(v.buy("bob", "11", "99"), "increase");
    // What only reduces goes, and so does the money of who has nothing in the market.
    expect(v.runAt(v.state.timeMs + 1, v.sell("alice", "1", "101"), v.withdraw("carol", "1")).outcomes).toEqual([
      "applied",
      "applied",
    ]);
  });

  test("no account is liquidated, and the mark is frozen, while a wild price is not confirmed; afterwards both resume", () => {
    const v = held();
    v.do(v.withdraw("alice", "890"));
    v.do(v.report({ a: "97" }));
    expect([v.mark() / E8, v.lots("alice")]).toEqual([97, 10]);
    v.do(v.report({ a: "40" }));
    v.do(v.report({ a: "39" }));
    expect([v.mark() / E8, v.lots("alice"), validity(v)]).toEqual([97, 10, "tooVolatile"]);
    v.do(v.report({ a: "40" }));
    expect(v.mark() / E8).toBeLessThan(97);
    v.run();
    v.run();
    expect(v.lots("alice")).toBe(0);
  });

  test("a margin account waits if one of its markets forbids liquidation, even if another market makes it due", () => {
    const v = open(
      { sources: "a:1" },
      { prices: { OTHER: "100" }, accounts: { alice: "130", bob: "100000", carol: "1000" } },
    );
    v.do(v.report({ a: "100" }));
    v.do(v.sell("bob", "1", "100"), v.buy("alice", "1", "100"));
    const other = { market: "OTHER" };
    v.do(v.sell("bob", "10", "100", other), v.buy("alice", "10", "100", other));
    v.do(v.report({ a: "1" }), v.price("80", other));
    expect([v.health("alice").equity < 0, v.lots("alice", "OTHER")]).toEqual([true, 10]);
    v.do(v.report({ a: "100" }), v.price("80", other));
    expect(v.lots("alice", "OTHER")).toBe(0);
  });
});

describe("a gap between blocks (PRC-4)", () => {
  const gapped = (more: Record<string, string> = {}) => {
    const v = open({ blockGap: "60000", oracleStale: "30000", ...more });
    v.do(v.price("100"));
    v.do(v.sell("bob", "10", "100"), v.buy("alice", "10", "100"));
    return v;
  };
  const restarting = (v: TestVenue) => v.state.markets.restarting[v.marketRow()];

  test("begins a millisecond past blockGap and ends with the first fresh price", () => {
    const v = gapped();
    v.runAt(v.state.timeMs + 60_000);
    expect(restarting(v)).toBe(0);
    const story = v.runAt(v.state.timeMs + 60_001);
    expect([restarting(v), story.of("restartChanged").map((event) => event.restarting)]).toEqual([1, [1]]);
    v.run();
    expect(restarting(v)).toBe(1);
    expect(
      v
        .do(v.price("100"))
        .of("restartChanged")
        .map((event) => event.restarting),
    ).toEqual([0]);
    // One in the block itself lifts it before it is there.
    expect(v.runAt(v.state.timeMs + 900_000, v.price("100")).of("restartChanged")).toEqual([]);
  });

  test("leaves the market post-only, at the old price, and keeps what is in it", () => {
    const v = gapped();
    v.runAt(v.state.timeMs + 60_001);
    expect([v.try(v.buy("bob", "1", "99")), v.try(v.close("alice", { price: "99" }))]).toEqual([
      "MARKET_RESTARTING",
      "MARKET_RESTARTING",
    ]);
    expect(v.try(v.sell("bob", "1", "110", { postOnly: true }))).toBe("applied");
    expect([v.try(v.withdraw("bob", "1")), v.try(v.transfer("alice", "bob", "1"))]).toEqual([
      "MARKET_RESTARTING",
      "MARKET_RESTARTING",
    ]);
    expect([v.try(v.withdraw("carol", "1")), v.try(v.leverage("bob", 5))]).toEqual(["applied", "MARKET_RESTARTING"]);
    expect(OPERATIONS.some((name) => allows(v.state, v.marketRow(), OPERATION[name]))).toBe(false);
  });

  test("no account is liquidated on an old price, and due accounts are liquidated at the fresh one", () => {
    const v = gapped();
    v.do(v.withdraw("alice", "890"));
    v.do(v.buy("bob", "10", "93"));
    v.do(v.price("93"));
    // The index is on its way down, and stops there.
    const before = v.mark();
    v.runAt(v.state.timeMs + 60_001);
    v.run();
    expect([v.mark(), v.lots("alice")]).toEqual([before, 10]);
    for (let block = 0; block < 8; block++) v.do(v.price("93"));
    expect(v.lots("alice")).toBe(0);
  });

  test("a report that is not taken does not end it, and 0 turns it off", () => {
    const v = gapped();
    v.runAt(v.state.timeMs + 60_001, v.price("1000"));
    expect(restarting(v)).toBe(1);
    v.do(v.update({ blockGap: "0" }));
    expect(restarting(v)).toBe(0);
  });

  test("recorded marks end it, too", () => {
    const v = open({ markMethod: "reported", blockGap: "60000" });
    v.do(v.price("100", { mark: "100" }));
    v.runAt(v.state.timeMs + 60_001);
    expect(restarting(v)).toBe(1);
    v.do(v.price("0", { mark: "100" }));
    expect(restarting(v)).toBe(0);
  });
});

test("a reported mark counts in the median while it is no older than oracleStale", () => {
  const v = open({ markMethod: "median", oracleStale: "10000" });
  v.do(v.price("100"));
  v.do(v.buy("bob", "1", "104"), v.sell("bob", "1", "106"));
  v.do(v.price("100", { mark: "104" }));
  const fed = v.mark();
  v.do(v.price("100"));
  expect(v.mark()).toBeGreaterThan(fed);
  const rising = v.mark();
  v.runAt(v.state.timeMs + 9_000, v.price("100"));
  expect(v.mark()).toBeGreaterThan(rising);
  const last = v.mark();
  v.runAt(v.state.timeMs + 1, v.price("100"));
  expect(v.mark()).toBeLessThan(last);
});
