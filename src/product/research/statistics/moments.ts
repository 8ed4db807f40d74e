import { computeDeviation, computeMean } from "../../report/metrics/dailyReturns.ts";

/** Shape of a sample of returns. */
export interface Moments {
  readonly count: number;
  readonly mean: number;
  /** Standard deviation, n - 1. */
  readonly deviation: number;
  /** Third standardised moment, by n: 0 of a symmetric sample. */
  readonly skewness: number;
  /** Fourth standardised moment, by n: 3 of a normal sample. */
  readonly kurtosis: number;
}

/** Moments of a sample. Of fewer than two values, or of equal ones, skewness is 0 and kurtosis 3. */
export function computeMoments(values: readonly number[]): Moments {
  const count = values.length;
  const mean = computeMean(values);
  let second = 0;
  let third = 0;
  let fourth = 0;
  for (const value of values) {
    const difference = value - mean;
    const square = difference * difference;
    second += square;
    third += square * difference;
    fourth += square * square;
  }
  const variance = second / count;
  if (count < 2 || variance === 0) return { count, mean, deviation: 0, skewness: 0, kurtosis: 3 };
  return {
    count,
    mean,
    deviation: computeDeviation(values),
    skewness: third / count / variance ** 1.5,
    kurtosis: fourth / count / (variance * variance),
  };
}
