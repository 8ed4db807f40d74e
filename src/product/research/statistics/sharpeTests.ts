import { DAYS_MIN, VARIATION_MIN } from "../../report/metrics/definitions.ts";
import { computeMoments, type Moments } from "./moments.ts";
import { computeNormalProbability, computeNormalQuantile } from "./normal.ts";

const EULER = 0.577_215_664_901_532_9;

/** A Sharpe ratio of a day, with the shape of its sample, on which its error depends. */
export type DailySharpe = Pick<Moments, "count" | "skewness" | "kurtosis"> & { readonly sharpe: number };

/** The Sharpe ratio of daily returns, not annual; undefined with fewer than 14 returns or without variation. */
export function computeDailySharpe(returns: readonly number[]): DailySharpe | undefined {
  if (returns.length < DAYS_MIN) return undefined;
  const moments = computeMoments(returns);
  if (moments.deviation < VARIATION_MIN) return undefined;
  return { ...moments, sharpe: moments.mean / moments.deviation };
}

/**
 * Probability that the true Sharpe ratio is above a benchmark, given the length, skewness and kurtosis of the sample.
 *
 * Bailey and López de Prado, "The Sharpe Ratio Efficient Frontier", Journal of Risk 15(2), 2012.
 *
 * @param returns   daily returns
 * @param benchmark Sharpe ratio of a day, not annual
 * @returns undefined with fewer than 14 returns, without variation, or where skewness and kurtosis leave no variance
 */
export function computeProbabilisticSharpe(returns: readonly number[], benchmark = 0): number | undefined {
  const sample = computeDailySharpe(returns);
  return sample === undefined ? undefined : computeProbabilityAbove(sample, benchmark);
}

/** As `computeProbabilisticSharpe`, of a Sharpe ratio and the shape of its sample. */
export function computeProbabilityAbove(sample: DailySharpe, benchmark: number): number | undefined {
  const { sharpe, skewness, kurtosis, count } = sample;
  const variance = 1 - skewness * sharpe + ((kurtosis - 1) / 4) * sharpe * sharpe;
  if (variance <= 0) return undefined;
  return computeNormalProbability(((sharpe - benchmark) * Math.sqrt(count - 1)) / Math.sqrt(variance));
}

/**
 * The best Sharpe ratio of a day that so many trials without skill are expected to show.
 *
 * @param variance of the trials' daily Sharpe ratios
 * @param trials   at least 1; one trial has no choice, so 0
 */
export function computeExpectedBestSharpe(variance: number, trials: number): number {
  if (trials < 2) return 0;
  const [upper, inner] = [1 - 1 / trials, 1 - 1 / (trials * Math.E)];
  return Math.sqrt(variance) * ((1 - EULER) * computeNormalQuantile(upper) + EULER * computeNormalQuantile(inner));
}

/** The best of several trials, corrected for the choice among them. */
export interface DeflatedSharpe {
  /** Probability that its true Sharpe ratio is above what the best of so many trials without skill shows. */
  readonly probability: number;
  /** That benchmark, of a day. */
  readonly benchmark: number;
  /** Trials that were counted: those with a Sharpe ratio. */
  readonly trials: number;
}

/**
 * The deflated Sharpe ratio of one trial among others.
 *
 * Bailey and López de Prado, "The Deflated Sharpe Ratio", Journal of Portfolio Management 40(5), 2014. Every trial
 * counts as independent, which is the cautious choice: trials of one grid are alike.
 *
 * @param chosen returns of the chosen trial
 * @param trials returns of every trial, the chosen one included
 * @returns undefined where the chosen trial has no Sharpe ratio
 */
export function computeDeflatedSharpe(
  chosen: readonly number[],
  trials: readonly (readonly number[])[],
): DeflatedSharpe | undefined {
  const sharpes = trials.flatMap((returns) => computeDailySharpe(returns)?.sharpe ?? []);
  const { deviation } = computeMoments(sharpes);
  const benchmark = computeExpectedBestSharpe(deviation * deviation, sharpes.length);
  const probability = computeProbabilisticSharpe(chosen, benchmark);
  return probability === undefined ? undefined : { probability, benchmark, trials: sharpes.length };
}
