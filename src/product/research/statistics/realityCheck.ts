import type { Random } from "../../../ground/math/random.ts";
import { chooseMeanBlock, drawPlaces } from "./stationaryBootstrap.ts";

/** Whether the best of several strategies is better than no position at all, given that it was chosen. */
export interface RealityCheck {
  /** Share of resamples in which the best of the strategies, had none a mean above zero, is at least as good. */
  readonly pValue: number;
  /** Strategies and returns of each that were compared. */
  readonly strategies: number;
  readonly days: number;
  readonly resamples: number;
  readonly meanBlock: number;
}

/**
 * White's reality check over the mean daily return of the best strategy, against a benchmark of zero.
 *
 * White, "A Reality Check for Data Snooping", Econometrica 68(5), 2000, with the stationary bootstrap. All strategies
 * are resampled with the same days, so that what they share stays shared. The p-value counts the sample itself as one
 * resample: it is never 0.
 *
 * @param returns   daily returns of each strategy, equally long, over the same days
 * @param resamples whole, at least 1
 * @returns undefined without strategies or days
 */
export function checkReality(
  returns: readonly (readonly number[])[],
  random: Random,
  resamples: number,
): RealityCheck | undefined {
  const days = returns[0]?.length ?? 0;
  if (days === 0) return undefined;
  const means = returns.map((series) => series.reduce((sum, value) => sum + value, 0) / days);
  const best = Math.max(...means);
  // Centred: a strategy without skill has a mean of zero.
  const centred = returns.map((series, k) => Float64Array.from(series, (value) => value - means[k]!));
  const meanBlock = chooseMeanBlock(days);
  const places = new Uint32Array(days);
  const weights = new Float64Array(days);
  let atLeast = 1;
  for (let resample = 0; resample < resamples; resample++) {
    drawPlaces(places, days, meanBlock, random);
    weights.fill(0);
    for (let i = 0; i < days; i++) weights[places[i]!]!++;
    if (isReached(centred, weights, best * days)) atLeast++;
  }
  return { pValue: atLeast / (resamples + 1), strategies: returns.length, days, resamples, meanBlock };
}

/** Whether the weighted sum of any series is at least `bound`. */
function isReached(series: readonly Float64Array[], weights: Float64Array, bound: number): boolean {
  for (const values of series) {
    let sum = 0;
    for (let i = 0; i < values.length; i++) sum += values[i]! * weights[i]!;
    if (sum >= bound) return true;
  }
  return false;
}
