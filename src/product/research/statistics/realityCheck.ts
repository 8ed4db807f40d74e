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
  const sample = new DrawnDays(days);
  const group = { first: 0 };
  let atLeast = 1;
  for (let resample = 0; resample < resamples; resample++) {
    drawPlaces(places, days, meanBlock, random);
    sample.count(places);
    if (isReached(centred, sample, best * days, group)) atLeast++;
  }
  return { pValue: atLeast / (resamples + 1), strategies: returns.length, days, resamples, meanBlock };
}

/** The days of a resample, each once with how often it was drawn. Days that were not drawn add nothing to a sum. */
class DrawnDays {
  length = 0;
  readonly days: Uint32Array;
  readonly weights: Float64Array;
  readonly #times: Uint32Array;

  constructor(days: number) {
    this.days = new Uint32Array(days);
    this.weights = new Float64Array(days);
    this.#times = new Uint32Array(days);
  }

  count(places: Uint32Array): void {
    const times = this.#times;
    times.fill(0);
    for (let i = 0; i < places.length; i++) times[places[i]!]!++;
    let length = 0;
    for (let day = 0; day < times.length; day++) {
      if (times[day] === 0) continue;
      this.days[length] = day;
      this.weights[length++] = times[day]!;
    }
    this.length = length;
  }
}

/** Series whose sums are computed at the same time: the processor adds to one while it waits for another. */
const GROUP = 4;

/**
 * Whether the weighted sum of any series is at least `bound`. Each sum is over its days in their order, whatever the
 * group.
 *
 * @param group where the search begins and, set by it, where it ended: a series often reaches the bound again
 */
function isReached(
  series: readonly Float64Array[],
  sample: DrawnDays,
  bound: number,
  group: { first: number },
): boolean {
  const groups = Math.ceil(series.length / GROUP);
  for (let tried = 0; tried < groups; tried++) {
    const at = (group.first + tried) % groups;
    if (!isGroupReached(series, at * GROUP, sample, bound)) continue;
    group.first = at;
    return true;
  }
  return false;
}

function isGroupReached(series: readonly Float64Array[], first: number, sample: DrawnDays, bound: number): boolean {
  const { length, days, weights } = sample;
  const one = series[first]!;
  // The last group may have fewer series: its first one is then added several times.
  const two = series[first + 1] ?? one;
  const three = series[first + 2] ?? one;
  const four = series[first + 3] ?? one;
  let [sumOne, sumTwo, sumThree, sumFour] = [0, 0, 0, 0];
  for (let i = 0; i < length; i++) {
    const day = days[i]!;
    const weight = weights[i]!;
    sumOne += one[day]! * weight;
    sumTwo += two[day]! * weight;
    sumThree += three[day]! * weight;
    sumFour += four[day]! * weight;
  }
  return sumOne >= bound || sumTwo >= bound || sumThree >= bound || sumFour >= bound;
}
