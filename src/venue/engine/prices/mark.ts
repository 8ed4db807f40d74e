import { LIMIT, mulDivTrunc } from "../../../ground/math/fixed.ts";

/** Median of three numbers. */
export function medianOfThree(a: number, b: number, c: number): number {
  return a > b ? (b > c ? b : a > c ? c : a) : a > c ? a : b > c ? c : b;
}

/** Of two components the one nearer the index; the first on a tie (PRC-3: "median of two"). */
export function nearer(a: number, b: number, index: number): number {
  return Math.abs(b - index) < Math.abs(a - index) ? b : a;
}

/**
 * Moves an exponential average toward a sample with weight dt / (tau + dt), in integers, toward zero (PRC-3).
 *
 * @param average present average, 1e-8 USD
 * @param sample  new value, same unit
 * @param dt      milliseconds since the last move
 * @param tau     time constant, ms
 */
export function moveAverage(average: number, sample: number, dt: number, tau: number): number {
  if (Math.abs(sample - average) <= LIMIT) return average + mulDivTrunc(sample - average, dt, tau + dt);
  const distance = BigInt(sample) - BigInt(average);
  return Number(BigInt(average) + (distance * BigInt(dt)) / BigInt(tau + dt));
}

/** Between best bid and best ask, down; the index where a side is empty (0). */
export function computeMid(index: number, bid: number, ask: number): number {
  return bid === 0 || ask === 0 ? index : Math.floor((bid + ask) / 2);
}

/** Median of best bid, best ask and last trade; one that is missing (0) is the index (PRC-3). */
export function computeTraded(index: number, bid: number, ask: number, last: number): number {
  return medianOfThree(bid === 0 ? index : bid, ask === 0 ? index : ask, last === 0 ? index : last);
}

/**
 * The mark by the method `median` (PRC-3), before the clamp: the median of index + basis, the book's price, and the
 * reported mark. Without a reported mark (0) it is the nearer to the index of the first two.
 *
 * @param basis  average of mid less index, this block's included
 * @param traded `computeTraded`
 */
export function computeMedianMark(index: number, basis: number, traded: number, reported: number): number {
  const smooth = index + basis;
  return reported === 0 ? nearer(smooth, traded, index) : medianOfThree(smooth, traded, reported);
}
