import { mulDivTrunc } from "../../math/fixed.ts";

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
  return average + mulDivTrunc(sample - average, dt, tau + dt);
}
