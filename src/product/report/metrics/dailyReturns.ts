import { DAYS_MIN, type MetricReason, PERIODS_PER_YEAR, VARIATION_MIN } from "./definitions.ts";

/** A number, or why there is none. */
export type Outcome = { readonly value: number } | { readonly reason: MetricReason };

/** Simple returns between neighbouring samples: e[i + 1] / e[i] - 1. Samples must be positive. */
export function computeDailyReturns(equity: readonly number[]): number[] {
  return equity.slice(1).map((value, i) => value / equity[i]! - 1);
}

/** Arithmetic mean; of an empty list `NaN`. */
export function computeMean(values: readonly number[]): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum / values.length;
}

/** Sample standard deviation, n - 1, in two passes. */
export function computeDeviation(values: readonly number[]): number {
  const mean = computeMean(values);
  let sum = 0;
  for (const value of values) sum += (value - mean) ** 2;
  return Math.sqrt(sum / (values.length - 1));
}

/** Annual volatility of daily returns. */
export function computeVolatility(returns: readonly number[]): Outcome {
  if (returns.length < DAYS_MIN) return { reason: "tooFewDays" };
  return { value: computeDeviation(returns) * Math.sqrt(PERIODS_PER_YEAR) };
}

/** Annual Sharpe ratio of daily returns, risk-free rate 0. */
export function computeSharpe(returns: readonly number[]): Outcome {
  if (returns.length < DAYS_MIN) return { reason: "tooFewDays" };
  const deviation = computeDeviation(returns);
  if (deviation < VARIATION_MIN) return { reason: "noVariation" };
  return { value: (computeMean(returns) / deviation) * Math.sqrt(PERIODS_PER_YEAR) };
}

/** Annual Sortino ratio of daily returns: downside over all days, target 0. */
export function computeSortino(returns: readonly number[]): Outcome {
  if (returns.length < DAYS_MIN) return { reason: "tooFewDays" };
  let sum = 0;
  for (const value of returns) if (value < 0) sum += value * value;
  const downside = Math.sqrt(sum / returns.length);
  if (downside < VARIATION_MIN) return { reason: "noDownside" };
  return { value: (computeMean(returns) / downside) * Math.sqrt(PERIODS_PER_YEAR) };
}
