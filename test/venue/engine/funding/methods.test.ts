import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Lots } from "../../../../src/ground/math/fixed.ts";
import { isParameterFault } from "../../../../src/protocol/parameterFault.ts";
import type { MarketParameters } from "../../../../src/protocol/parameters.ts";
import { readMarketParameters } from "../../../../src/protocol/readParameters.ts";
import { FUNDING_METHOD } from "../../../../src/protocol/words.ts";
import { joinIndex } from "../../../../src/venue/engine/funding/cumulativeIndex.ts";
import { computeFundingPaymentBig, computeFundingRemainder } from "../../../../src/venue/engine/funding/owed.ts";
import { getPredictedRate } from "../../../../src/venue/engine/funding/predictedRate.ts";
import { computeEightHourRate, computeFundingShare } from "../../../../src/venue/engine/funding/rate.ts";
import {
  AVERAGE_SCALE,
  addSample,
  computeMeanPremium,
  computeMinute,
  countMinutes,
  getPremiumSum,
  isSampleDue,
  setPremiumSum,
} from "../../../../src/venue/engine/funding/samples.ts";
import { TestVenue } from "../../../helpers/venue.ts";

const HOUR = 3_600_000;
const METHODS = ["hyperliquid", "dydx", "binance8h", "continuous"] as const;

function made(texts: Record<string, string>): MarketParameters {
  const read = readMarketParameters("linear", { tier1: "0 0.1 0.05", tier2: "", ...texts });
  if (isParameterFault(read)) throw new Error(read.reason);
  return read;
}

/** Premium of an interval with these samples, ppb. */
function premiumOf(rules: MarketParameters, premiums: readonly number[]): number {
  const sum = premiums.reduce((held, premium, place) => addSample(rules, held, place, premium, 5000), 0n);
  return computeMeanPremium(rules, sum, premiums.length, countMinutes(0, rules.fundingInterval));
}

/** Alice long, bob short, and the resting orders make a premium. The clock starts on the hour. */
function venue(texts: Record<string, string>): TestVenue {
  const v = new TestVenue({
    markets: {
      TEST: { markMethod: "oracle", impactNotional: "100", fundingPaymentMax: "1", unsafe: "1", ...texts },
    },
    accounts: { alice: "100000", bob: "100000" },
    genesis: { timeMs: 8 * HOUR - 1000 },
  });
  v.do(v.price("10000"));
  v.do(v.sell("bob", "1", "10000"), v.buy("alice", "1", "10000"));
  return v;
}

const markets = (v: TestVenue) => v.state.markets;
const predicted = (v: TestVenue) => getPredictedRate(v.state, v.marketRow());

describe("premium of an interval (FND-2)", () => {
  const dydx = made({ fundingMethod: "dydx" });
  const binance = made({ fundingMethod: "binance8h", fundingInterval: "28800000" });
  const continuous = made({ fundingMethod: "continuous", fundingTau: "5000" });

  test("dydx: minutes without a sample count as zero", () => {
    expect(premiumOf(dydx, Array<number>(30).fill(10_000_000))).toBe(5_000_000);
    expect(premiumOf(dydx, Array<number>(60).fill(10_000_000))).toBe(10_000_000);
    expect(premiumOf(dydx, Array<number>(61).fill(10_000_000))).toBe(10_000_000);
    expect([premiumOf(dydx, [59]), premiumOf(dydx, [-59]), premiumOf(dydx, [60])]).toEqual([0, 0, 1]);
  });

  test("dydx: the value of a minute is the mean of its samples, toward zero", () => {
    expect([computeMinute(5, 2), computeMinute(-5, 2), computeMinute(6, 2)]).toEqual([2, -2, 3]);
  });

  test("minutes are those of the clock, also where an interval begins within one", () => {
    expect([countMinutes(0, HOUR), countMinutes(0, 30_000), countMinutes(30_000, 60_000)]).toEqual([60, 1, 1]);
    expect([countMinutes(90_000, 180_000), countMinutes(0, 90_000), countMinutes(59_999, 60_001)]).toEqual([2, 2, 2]);
  });

  test("binance8h: the n-th sample counts n times", () => {
    // (1 * 1 + 2 * 2 + 3 * 3 + 4 * 4) / 10 = 3.
    expect(premiumOf(binance, [1e6, 2e6, 3e6, 4e6])).toBe(3e6);
    expect([premiumOf(binance, [2, 0]), premiumOf(binance, [-2, 0]), premiumOf(binance, [0, 2])]).toEqual([0, 0, 1]);
  });

  // 28,800 samples of a second, each at the greatest premium: the sum of weights alone is above 4e8.
  test("binance8h: the weighted sum is exact beyond what a double holds", () => {
    const sum = 10_000_000_000n * 28_800n * 28_801n * 50n;
    const v = venue({ fundingMethod: "binance8h" });
    for (const wide of [sum, -sum, sum + 1n, -1n, 2n ** 52n, -(2n ** 52n), 0n]) {
      setPremiumSum(v.state, v.marketRow(), wide);
      expect(getPremiumSum(v.state, v.marketRow())).toBe(wide);
    }
    setPremiumSum(v.state, v.marketRow(), 0n);
    expect(
      computeMeanPremium(binance, 10_000_000_000n * 28_800n * 14_400n + 14_400n * 10_000_000_000n, 28_800, 0),
    ).toBe(10_000_000_000);
  });

  test("continuous: the average starts at the first sample and goes toward the others by time", () => {
    expect(premiumOf(continuous, [10_000_000])).toBe(10_000_000);
    expect(premiumOf(continuous, [10_000_000, 0])).toBe(5_000_000);
    expect(premiumOf(continuous, [-10_000_001, 0])).toBe(-5_000_000);
  });

  // A second is 1/86,401 of a day's constant: the average still follows a step of 0.1 % to a part in a million.
  test("continuous: small steps of the average are not lost", () => {
    const slow = made({ fundingMethod: "continuous", fundingTau: "86400000" });
    let sum = 0n;
    for (let at = 1; at < 2_000_000; at += 1000) sum = addSample(slow, sum, at, 1_000_000, 1000);
    for (let at = 0; at < 20; at++) sum = addSample(slow, sum, 1, 1_000_000, 86_400_000);
    for (let at = 0; at < 86_400; at++) sum = addSample(slow, sum, 1, 1_000_000, 1000);
    expect(1_000_000 - Number(sum) / AVERAGE_SCALE).toBeLessThan(2);
  });
});

describe("rate per 8 h (FND-2)", () => {
  test("dydx adds interest whole and has no clamp", () => {
    const rules = made({ fundingMethod: "dydx", fundingInterest: "0.0001", fundingClamp: "0" });
    expect(computeEightHourRate(rules, 5_000_000)).toBe(5_100_000);
    expect(computeEightHourRate(rules, -5_000_000)).toBe(-4_900_000);
  });

  test("six times initial less maintenance bounds all but binance8h, whose cap is a share of maintenance", () => {
    const bounds = METHODS.map((fundingMethod) => {
      const rules = made({ fundingMethod, fundingBound: "6", fundingCapMargin: "0.75" });
      return [computeEightHourRate(rules, 9e9), computeEightHourRate(rules, -9e9)];
    });
    expect(bounds).toEqual([
      [300_000_000, -300_000_000],
      [300_000_000, -300_000_000],
      [37_500_000, -37_500_000],
      [300_000_000, -300_000_000],
    ]);
  });

  test("a bound rounds down, and is reached exactly", () => {
    const rules = made({ fundingMethod: "binance8h", fundingClamp: "0", fundingCapMargin: "0.333333" });
    expect(computeEightHourRate(rules, 16_666_650)).toBe(16_666_650);
    expect(computeEightHourRate(rules, 16_666_651)).toBe(16_666_650);
    expect(computeEightHourRate(rules, 16_666_649)).toBe(16_666_649);
  });
});

describe("a share of the rate (FND-2)", () => {
  // However a time is cut, what is paid for it differs from the exact rate by less than one part of 1e9.
  test("many short payments add up to one long one, by the carry", () => {
    const continuous = made({ fundingMethod: "continuous", fundingCap: "9000000" });
    fc.assert(
      fc.property(
        fc.integer({ min: -300_000_000, max: 300_000_000 }),
        fc.array(fc.integer({ min: 1, max: 60_000 }), { minLength: 1, maxLength: 50 }),
        (eight, times) => {
          let paid = 0;
          let carry = 0;
          for (const elapsed of times) {
            const share = computeFundingShare(continuous, eight, elapsed, carry);
            paid += share.rate;
            carry = share.carry;
            expect(Math.abs(carry)).toBeLessThan(28_800_000);
          }
          const exact = BigInt(eight) * BigInt(times.reduce((sum, elapsed) => sum + elapsed, 0));
          expect(BigInt(paid) * 28_800_000n + BigInt(carry)).toBe(exact);
        },
      ),
    );
  });

  test("a capped payment carries nothing", () => {
    const capped = made({ fundingCap: "0.001" });
    expect(computeFundingShare(capped, 900_000_000, HOUR, 5)).toEqual({ rate: 1_000_000, carry: 0 });
    expect(computeFundingShare(capped, -900_000_000, HOUR, 5)).toEqual({ rate: -1_000_000, carry: 0 });
  });
});

describe("sampling (FND-1)", () => {
  test("dydx samples in every block, binance8h on the steps of the clock, the others at a distance", () => {
    const due = (fundingMethod: string, sampled: number, now: number) =>
      isSampleDue(made({ fundingMethod, fundingSample: "60000" }), sampled, now);
    expect(METHODS.map((method) => due(method, 119_000, 120_000))).toEqual([false, true, true, false]);
    expect(METHODS.map((method) => due(method, 60_000, 119_999))).toEqual([false, true, false, false]);
    expect(METHODS.map((method) => due(method, 61_000, 121_000))).toEqual([true, true, true, true]);
  });

  test("dydx: the blocks of a minute make one value, which is closed by the next minute or by the interval", () => {
    const v = venue({ fundingMethod: "dydx" });
    const held = () => {
      const { minuteSum, minuteSamples, premiumSum, premiumSamples } = markets(v);
      const row = v.marketRow();
      return [minuteSum[row], minuteSamples[row], premiumSum[row], premiumSamples[row]];
    };
    expect(held()).toEqual([0, 2, 0, 0]);
    v.do(v.buy("bob", "1", "10100"));
    v.run();
    expect(held()).toEqual([10_000_000, 4, 0, 0]);
    v.runAt(8 * HOUR + 60_000);
    expect(held()).toEqual([10_000_000, 1, 2_500_000, 1]);
    v.runAt(8 * HOUR + 200_000);
    expect(held()).toEqual([10_000_000, 1, 12_500_000, 2]);
    const [accrued] = v.runAt(9 * HOUR).of("fundingAccrued");
    // Three minutes of sixty: (0.25 % + 1 % + 1 %) / 60, and 0.01 %; an eighth.
    expect(accrued!.rate).toBe(Math.floor((22_500_000 / 60 + 100_000) / 8));
    expect(held()).toEqual([10_000_000, 1, 0, 0]);
  });
});

describe("settling (FND-2, FND-3)", () => {
  /** What a market pays from here to a time, with a block every so often. */
  const payTo = (v: TestVenue, to: number, step: number) => {
    let paid = 0;
    let due = 0;
    for (let at = v.state.timeMs + step; at <= to; at += step) {
      for (const accrued of v.runAt(at).of("fundingAccrued")) {
        paid += accrued.rate;
        due = accrued.due;
      }
    }
    return { paid, due };
  };

  test.each(METHODS)("%s: what is predicted while nothing changes is what is then paid", (fundingMethod) => {
    const v = venue({ fundingMethod, fundingInterval: "600000", fundingTau: "1", fundingSample: "1000" });
    v.do(v.buy("bob", "1", "10100"));
    v.runAt(8 * HOUR + 600_000);
    // An interval of which every sample is 1 %, and every block is a minute's.
    const seen: number[] = [];
    const start = v.state.timeMs;
    let paid = 0;
    for (let at = start + 30_000; at <= start + 600_000; at += 30_000) {
      const before = predicted(v);
      const accrued = v.runAt(at).of("fundingAccrued");
      if (fundingMethod !== "continuous" && accrued.length > 0)
        expect(accrued.map(({ rate }) => rate)).toEqual([before]);
      paid += accrued.reduce((sum, { rate }) => sum + rate, 0);
      if (at > start + 30_000) seen.push(before);
    }
    // A continuous average comes as near to the premium as its steps go, and division leaves up to one unit.
    for (const rate of seen) expect(Math.abs(rate - paid)).toBeLessThanOrEqual(1);
    expect(paid).toBeGreaterThan(0);
  });

  test("nothing is predicted without samples, while funding is paused, or but the recorded rate", () => {
    const v = venue({ fundingMethod: "hyperliquid" });
    v.runAt(9 * HOUR);
    expect(predicted(v)).toBe(0);
    v.runAt(9 * HOUR + 5000);
    expect(predicted(v)).toBe(12_500);
    v.do(v.update({ pauseFund: "on" }));
    expect(predicted(v)).toBe(0);
    v.do(v.update({ pauseFund: "off", fundingMethod: "reported" }));
    expect(predicted(v)).toBe(markets(v).fundingRate[v.marketRow()]);
  });

  test("continuous: pays every block for its time, whatever the blocks are", () => {
    const texts = { fundingMethod: "continuous", fundingSample: "1000", fundingTau: "1000" };
    const runs = [1000, 4000, 60_000].map((step) => {
      const v = venue(texts);
      v.do(v.buy("bob", "1", "10100"));
      v.runAt(8 * HOUR + 120_000);
      v.runAt(8 * HOUR + 240_000);
      // From here on the average equals the premium except for rounding.
      const from = markets(v).fundingCarry[v.marketRow()]!;
      const { paid } = payTo(v, 8 * HOUR + 480_000, step);
      return paid * 28_800_000 + markets(v).fundingCarry[v.marketRow()]! - from;
    });
    // 0.95 % per 8 h for four minutes, to a part of 1e9 of it.
    for (const owed of runs) expect(Math.abs(owed - 9_500_000 * 240_000)).toBeLessThanOrEqual(28_800_000);
  });

  test("continuous: a gap is paid for up to an interval, and the rest lapses", () => {
    const v = venue({ fundingMethod: "continuous", fundingInterval: "60000" });
    const [accrued] = v.runAt(v.state.timeMs + 5 * HOUR).of("fundingAccrued");
    // Interest alone: 0.01 % per 8 h for a minute, with what the blocks before left.
    expect(accrued!.rate).toBe(208);
  });

  test.each(METHODS)("%s: intervals that a gap skipped lapse", (fundingMethod) => {
    const v = venue({ fundingMethod });
    const [accrued, ...more] = v.runAt(17 * HOUR + 5).of("fundingAccrued");
    expect(more).toEqual([]);
    expect(accrued!.rate).toBeLessThanOrEqual(12_500);
    expect(accrued!.settledMs).toBe(fundingMethod === "continuous" ? 17 * HOUR + 5 : 17 * HOUR);
  });

  test.each(METHODS)("%s: a payment beyond the greatest is paid in later blocks, to the unit", (fundingMethod) => {
    const run = (fundingPaymentMax: string) => {
      const v = venue({ fundingMethod, fundingPaymentMax, fundingInterval: "60000", fundingTau: "1000" });
      v.do(v.buy("bob", "1", "10100"));
      return payTo(v, 8 * HOUR + 120_000, 1000);
    };
    const whole = run("1");
    const limited = run("0.000000101");
    expect(whole.due).toBe(0);
    expect(limited.paid + limited.due).toBe(whole.paid);
    expect(limited.due).toBeGreaterThan(0);
  });

  test.each(METHODS)("%s: settling in every block charges what settling once does", (fundingMethod) => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 40_000 }), { minLength: 3, maxLength: 20 }),
        fc.integer({ min: -1_000_000, max: 1_000_000 }),
        (steps, size) => {
          const v = venue({ fundingMethod, fundingInterval: "10000", fundingSample: "1000" });
          v.do(v.buy("bob", "1", "10100"));
          const indexOf = () =>
            joinIndex(markets(v).fundingHigh[v.marketRow()]!, markets(v).fundingLow[v.marketRow()]!);
          const start = indexOf();
          let held = start;
          let paid = 0n;
          let carried = 0;
          for (const step of steps) {
            v.runAt(v.state.timeMs + step);
            const move = indexOf() - held;
            const payment = computeFundingPaymentBig(size as Lots, move, carried);
            carried = computeFundingRemainder(size as Lots, move, carried, Number(payment));
            held += move;
            paid += payment;
          }
          expect(paid).toBe(computeFundingPaymentBig(size as Lots, indexOf() - start, 0));
          expect(carried).toBe(computeFundingRemainder(size as Lots, indexOf() - start, 0, Number(paid)));
        },
      ),
      { numRuns: 10 },
    );
  });

  test("a new funding method never reads samples of the old one, and pays the funding that the old one left due", () => {
    for (const from of METHODS) {
      for (const to of METHODS) {
        if (from === to) continue;
        const v = venue({ fundingMethod: from, fundingInterval: "60000" });
        v.do(v.buy("bob", "1", "10100"));
        v.runAt(8 * HOUR + 50_000);
        const settled = markets(v).settledTime[v.marketRow()]!;
        const story = v.do(v.update({ fundingMethod: to }));
        const now = v.state.timeMs;
        const { due } = story.of("premiumsCleared")[0]!;
        expect(story.of("premiumsCleared")[0]).toMatchObject({ settledMs: now, sampledMs: 0 });
        // At least the interest of 0.01 %, at most the bound.
        expect(due).toBeGreaterThanOrEqual(Math.floor((100_000 * (now - settled)) / (8 * HOUR)));
        expect(story.of("fundingAccrued")).toMatchObject([{ rate: due, due: 0, settledMs: now }]);
        expect(getPremiumSum(v.state, v.marketRow())).toBeLessThanOrEqual(BigInt(10_000_000 * AVERAGE_SCALE));
      }
    }
  });

  // Goal: however often the way of paying changes, an instant pays for exactly the time since the last. Method: no
  // premium, so that every way pays the interest of 0.01 % per 8 h; what is paid, due and carried is that of the time
  // on the clock.
  test("changes of the method and of the interval pay every millisecond once", () => {
    const change = fc.record({
      after: fc.integer({ min: 1, max: 12 }),
      method: fc.constantFrom(undefined, ...METHODS),
      interval: fc.constantFrom(undefined, "60000", "90000", "600000", "3600000"),
    });
    let longer = 0;
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 12 }), (changes) => {
        const v = venue({ fundingMethod: "hyperliquid", fundingInterval: "600000", fundingSample: "1000" });
        const row = v.marketRow();
        let paid = 0;
        const count = (story: ReturnType<TestVenue["run"]>) => {
          for (const { rate } of story.of("fundingAccrued")) paid += rate;
        };
        const from = markets(v).settledTime[row]!;
        for (const { after, method, interval } of changes) {
          for (let at = 0; at < after; at++) count(v.runAt(v.state.timeMs + 7001));
          const texts = {
            ...(method === undefined ? {} : { fundingMethod: method }),
            ...(interval === undefined ? {} : { fundingInterval: interval }),
          };
          if (Object.keys(texts).length > 0) count(v.do(v.update(texts)));
          if (markets(v).settledTime[row] === v.state.timeMs) longer++;
        }
        const reported = predicted(v);
        const { fundingInterval, fundingMethod } = v.state.parameters[row]!;
        const { settledTime, fundingDue, fundingCarry } = markets(v);
        const owed = (paid + fundingDue[row]!) * 8 * HOUR + fundingCarry[row]!;
        expect(owed).toBe(100_000 * (settledTime[row]! - from));
        const ends = (Math.floor(v.state.timeMs / fundingInterval) + 1) * fundingInterval;
        const left = fundingMethod === FUNDING_METHOD.continuous ? fundingInterval : ends - settledTime[row]!;
        if (markets(v).premiumSamples[row]! > 0)
          expect(reported).toBe(Math.floor((100_000 * left + fundingCarry[row]!) / (8 * HOUR)));
      }),
      { numRuns: 60 },
    );
    expect(longer).toBeGreaterThan(50);
  });

  test("without samples no interval ends: a method after recorded rates pays from the last rate on", () => {
    const v = venue({ fundingMethod: "reported" });
    v.do(v.price("10000", { funding: "0.001" }));
    const recorded = v.state.timeMs;
    v.runAt(8 * HOUR + 600_000, v.update({ fundingMethod: "hyperliquid" }));
    expect(markets(v).settledTime[v.marketRow()]).toBe(recorded);
    const [accrued] = v.runAt(9 * HOUR).of("fundingAccrued");
    expect(accrued!.rate).toBe(Math.floor((100_000 * (9 * HOUR - recorded)) / (8 * HOUR)));
  });

  test("a remainder of another method is paid in addition to recorded rates, in blocks that report none", () => {
    const v = venue({ fundingMethod: "hyperliquid", fundingPaymentMax: "0.000000005" });
    v.runAt(8 * HOUR + 3599_000);
    const first = v.runAt(9 * HOUR - 500, v.update({ fundingMethod: "reported" })).of("fundingAccrued");
    const due = Math.floor((100_000 * (HOUR - 500)) / (8 * HOUR)) - 5;
    expect(first).toMatchObject([{ rate: 5, due }]);
    const second = v.do(v.price("10000", { funding: "0.001" })).of("fundingAccrued");
    expect(second).toMatchObject([{ rate: 1_000_000, due }]);
    expect(v.run().of("fundingAccrued")).toMatchObject([{ rate: 5, due: due - 5 }]);
  });
});
