import { computeNormalQuantile } from "./normal.ts";

/**
 * Quantile of a sorted sample: linear between the two nearest values, as NumPy and pandas have it by default.
 *
 * @param sorted ascending, at least one value
 * @param share  from 0 to 1
 */
export function computeQuantile(sorted: ArrayLike<number>, share: number): number {
  const place = share * (sorted.length - 1);
  const below = Math.floor(place);
  const low = sorted[below]!;
  const high = sorted[Math.min(below + 1, sorted.length - 1)]!;
  return low + (high - low) * (place - below);
}

/** A share with its confidence interval. */
export interface Share {
  readonly share: number;
  readonly low: number;
  readonly high: number;
}

/**
 * Share of draws in which something happened, with the Wilson interval of 95 %: the error of a finite number of draws.
 *
 * @param draws at least 1
 */
export function computeShare(happened: number, draws: number): Share {
  const z = computeNormalQuantile(0.975);
  const share = happened / draws;
  const centre = share + (z * z) / (2 * draws);
  const spread = z * Math.sqrt((share * (1 - share)) / draws + (z * z) / (4 * draws * draws));
  const scale = 1 + (z * z) / draws;
  return { share, low: Math.max(0, (centre - spread) / scale), high: Math.min(1, (centre + spread) / scale) };
}
