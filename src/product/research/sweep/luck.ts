import type { DailyReturns } from "../runs/record.ts";
import { checkReality, type RealityCheck } from "../statistics/realityCheck.ts";
import { seedRandom } from "../statistics/seed.ts";
import { computeDeflatedSharpe, computeProbabilisticSharpe, type DeflatedSharpe } from "../statistics/sharpeTests.ts";

/** How much of the best run may be luck, by the daily returns of all runs. */
export interface Luck {
  /**
   * Probability that the best run's true Sharpe ratio is above 0, as if it had been the only run; null where there is
   * none.
   */
  readonly probabilisticSharpe: number | null;
  /** The same, corrected for the number of runs. */
  readonly deflatedSharpe: DeflatedSharpe | null;
  /** White's reality check over all runs. */
  readonly realityCheck: RealityCheck | null;
  /** Why a figure is missing. */
  readonly reason: string | null;
}

/** Resamples of the reality check. */
const RESAMPLES = 1_000;
/** Runs times days at most: a thousand resamples of them take some ten seconds. */
const VALUES_MOST = 4_000_000;

/**
 * Judges the best run of a sweep among all of its runs. Runs without a result are left out; after a wipe-out a run's
 * returns are 0.
 *
 * @param best  returns of the best run
 * @param all   returns of every run, the best one included; null for a run without a day
 */
export function judgeLuck(best: DailyReturns | null, all: readonly (DailyReturns | null)[]): Luck {
  const runs = all.filter((daily) => daily !== null);
  const days = Math.max(0, ...runs.map(({ returns }) => returns.length));
  const none = { probabilisticSharpe: null, deflatedSharpe: null, realityCheck: null };
  if (best === null || best.returns.length < 2) return { ...none, reason: "the best run has fewer than two full days" };
  if (runs.length * days > VALUES_MOST) return { ...none, reason: "there are too many runs and days to resample" };
  const series = runs.map(({ returns }) => [...returns, ...new Array<number>(days - returns.length).fill(0)]);
  const chosen = series[runs.indexOf(best)]!;
  const isAligned = runs.every(({ fromMs }) => fromMs === best.fromMs);
  return {
    probabilisticSharpe: computeProbabilisticSharpe(chosen) ?? null,
    deflatedSharpe: computeDeflatedSharpe(chosen, series) ?? null,
    realityCheck: isAligned ? (checkReality(series, seedRandom("1", "sweep/reality"), RESAMPLES) ?? null) : null,
    reason: isAligned ? null : "the runs do not cover the same days",
  };
}

/** The figures in words, one sentence each. */
export function describeLuck({ probabilisticSharpe, deflatedSharpe, realityCheck, reason }: Luck): string[] {
  const percent = (share: number) => `${(share * 100).toFixed(1)} %`;
  const lines: string[] = [];
  if (probabilisticSharpe !== null) {
    lines.push(
      `Probabilistic Sharpe ratio: ${percent(probabilisticSharpe)}. This is the probability that the best run's true Sharpe ratio is above 0, as if it had been the only run.`,
    );
  }
  if (deflatedSharpe !== null) {
    lines.push(
      `Deflated Sharpe ratio: ${percent(deflatedSharpe.probability)}. This is the probability that the true ratio is above the best one expected of ${deflatedSharpe.trials} runs without skill.`,
    );
  }
  if (realityCheck !== null) {
    lines.push(
      `White's reality check: p = ${realityCheck.pValue.toFixed(3)}. This is the share of resamples in which the best of ${realityCheck.strategies} runs without a mean gain is as good as the best run.`,
    );
  }
  if (reason !== null) lines.push(`Some figures of luck cannot be computed: ${reason}.`);
  return lines;
}
