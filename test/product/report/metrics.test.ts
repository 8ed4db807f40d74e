import { Decimal } from "decimal.js";
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  computeDailyReturns,
  computeDeviation,
  computeSharpe,
  computeSortino,
  computeVolatility,
} from "../../../src/product/report/metrics/dailyReturns.ts";
import {
  computeCagr,
  computeCalmar,
  computeDrawdown,
  computeTotalReturn,
} from "../../../src/product/report/metrics/growth.ts";

// Goal: the ratios are right to ten digits. Method: the same definitions in 60-digit decimals, written from the text of
// the definitions and not from the code, over random equity; and examples that a person can check.
const D = Decimal.clone({ precision: 60 });
const DAY_MS = 86_400_000;

const equities = fc.array(fc.integer({ min: 500_000, max: 20_000_000_000 }), { minLength: 15, maxLength: 60 });

function slowReturns(equity: readonly number[]): Decimal[] {
  return equity.slice(1).map((value, i) => new D(value).minus(equity[i]!).div(equity[i]!));
}

const sum = (values: readonly Decimal[]) => values.reduce((total, value) => total.plus(value), new D(0));

function slowSharpe(equity: readonly number[]): Decimal {
  const returns = slowReturns(equity);
  const mean = sum(returns).div(returns.length);
  const variance = sum(returns.map((r) => r.minus(mean).pow(2))).div(returns.length - 1);
  return mean.div(variance.sqrt()).mul(new D(365).sqrt());
}

function slowSortino(equity: readonly number[]): Decimal {
  const returns = slowReturns(equity);
  const mean = sum(returns).div(returns.length);
  const downside = sum(returns.map((r) => Decimal.min(r, 0).pow(2))).div(returns.length);
  return mean.div(downside.sqrt()).mul(new D(365).sqrt());
}

/** Equal to within rounding of doubles, which is relative to the largest term that a mean cancels. */
function expectClose(actual: number, exact: Decimal): void {
  const error = new D(actual).minus(exact).abs();
  expect(error.lessThan(exact.abs().plus(1).mul(1e-9)), `${actual} against ${exact}`).toBe(true);
}

test("Sharpe and Sortino equal a slow decimal computation", () => {
  fc.assert(
    fc.property(equities, (equity) => {
      const returns = computeDailyReturns(equity);
      const sharpe = computeSharpe(returns);
      const sortino = computeSortino(returns);
      if ("value" in sharpe) expectClose(sharpe.value, slowSharpe(equity));
      else expect(slowReturns(equity).every((r) => r.eq(slowReturns(equity)[0]!))).toBe(true);
      if ("value" in sortino) expectClose(sortino.value, slowSortino(equity));
      else expect(slowReturns(equity).every((r) => !r.isNegative())).toBe(true);
    }),
  );
});

test("CAGR equals a slow decimal computation", () => {
  const amount = fc.integer({ min: 1, max: 9_000_000_000_000 });
  fc.assert(
    fc.property(amount, amount, fc.integer({ min: 300, max: 4_000 }), (initial, final, days) => {
      const cagr = computeCagr(initial, final, days * DAY_MS);
      const exact = new D(final).div(initial).pow(new D(365).div(days)).minus(1);
      expectClose("value" in cagr ? cagr.value : Number.NaN, exact);
    }),
  );
});

test("hand-computed examples", () => {
  // Ten up by 1 %, ten down by 1 %: the mean is 0, the variance 20 * 0.0001 / 19, the downside 10 * 0.0001 / 20.
  const returns = Array.from({ length: 20 }, (_, i) => (i % 2 === 0 ? 0.01 : -0.01));
  expect(computeDeviation(returns)).toBeCloseTo(0.01025978352085154, 15);
  expect(computeVolatility(returns)).toEqual({ value: expect.closeTo(0.19601289, 7) });
  expect(computeSharpe(returns)).toEqual({ value: expect.closeTo(0, 12) });
  // All shifted by +1 %: mean 0.01, ten days of 0.02 and ten of 0: Sharpe 0.01 / 0.01025978 * 19.10497.
  const shifted = returns.map((value) => value + 0.01);
  expect(computeSharpe(shifted)).toEqual({ value: expect.closeTo(18.6212, 3) });
  expect(computeSortino(shifted)).toEqual({ reason: "noDownside" });
  expect(computeSortino(returns.map((value) => value - 0.005))).toEqual({
    value: expect.closeTo((-0.005 / Math.sqrt((10 * 0.015 ** 2) / 20)) * Math.sqrt(365), 10),
  });
  expect(computeTotalReturn(80, 100)).toBe(0.25);
  expect(computeCagr(100, 121, 2 * 365 * DAY_MS)).toEqual({ value: expect.closeTo(0.1, 12) });
  const span = { peak: 200, trough: 150, peakTimeMs: 0, troughTimeMs: 1, recoveredTimeMs: null };
  expect(computeDrawdown(span)).toBe(0.25);
  expect(computeCalmar({ value: 0.5 }, 0.25)).toEqual({ value: 2 });
});

test("too little data is not a number but a reason", () => {
  const thirteen = Array.from({ length: 13 }, (_, i) => i / 1_000);
  for (const compute of [computeSharpe, computeSortino, computeVolatility]) {
    expect(compute(thirteen)).toEqual({ reason: "tooFewDays" });
    expect(compute([...thirteen, -0.001])).toHaveProperty("value");
  }
  expect(computeSharpe(Array.from({ length: 30 }, () => 0.01))).toEqual({ reason: "noVariation" });
  expect(computeCagr(1, 2, 14 * DAY_MS - 1)).toEqual({ reason: "tooFewDays" });
  expect(computeCagr(1, 0, 14 * DAY_MS)).toEqual({ reason: "equityNotPositive" });
  expect(computeCalmar({ reason: "tooFewDays" }, 0.5)).toEqual({ reason: "tooFewDays" });
  expect(computeCalmar({ value: 0.5 }, 0)).toEqual({ reason: "noDrawdown" });
  expect(computeDrawdown(null)).toBe(0);
});
