import type { Random } from "../../../ground/math/random.ts";
import { computeQuantile } from "../statistics/quantiles.ts";
import { drawPlaces } from "../statistics/stationaryBootstrap.ts";

/** The results of every path of a simulation. Equity is relative to the start, which is 1. */
export interface PathOutcomes {
  /** Sorted ascending: equity at the end. */
  readonly finals: Float64Array;
  /** Sorted ascending: greatest fall from a peak, relative to the peak. */
  readonly drawdowns: Float64Array;
  /** Paths whose equity reached the ruin level at any step. */
  readonly ruined: number;
  /** Paths that ended below their start. */
  readonly lost: number;
  /** Quantiles of equity at chosen steps. */
  readonly fan: readonly FanStep[];
}

/** Equity after so many steps, by `FAN_SHARES`. */
export interface FanStep {
  readonly step: number;
  readonly equity: readonly number[];
}

/** Quantiles that a fan shows. */
export const FAN_SHARES = [0.05, 0.25, 0.5, 0.75, 0.95] as const;

/** Steps at which a fan has its quantiles, at most. */
const FAN_STEPS = 120;

/** Source of paths: equity after each step, starting at 1. */
export interface PathSource {
  /** Steps of a path. */
  readonly steps: number;
  /** Fills `equity` with the next path; `equity[i]` is that after step i. */
  draw(equity: Float64Array): void;
}

/**
 * Resamples daily returns in blocks.
 *
 * @param returns   simple returns above -1
 * @param meanBlock mean days of a block
 */
export function resampleReturns(returns: readonly number[], meanBlock: number, random: Random): PathSource {
  const places = new Uint32Array(returns.length);
  return {
    steps: returns.length,
    draw(equity) {
      drawPlaces(places, returns.length, meanBlock, random);
      let value = 1;
      for (let i = 0; i < places.length; i++) {
        value *= 1 + returns[places[i]!]!;
        equity[i] = value;
      }
    },
  };
}

/**
 * Puts round trips into another order. Each keeps its return, so every path ends at the same equity; only the way there
 * differs.
 *
 * @param results net of each round trip as a ratio of the equity before it, above -1
 */
export function shuffleTrips(results: readonly number[], random: Random): PathSource {
  const order = Float64Array.from(results);
  return {
    steps: order.length,
    draw(equity) {
      for (let i = order.length - 1; i > 0; i--) {
        const other = random.below(i + 1);
        [order[i], order[other]] = [order[other]!, order[i]!];
      }
      let value = 1;
      for (let i = 0; i < order.length; i++) {
        value *= 1 + order[i]!;
        equity[i] = value;
      }
    },
  };
}

/**
 * Draws paths and measures each.
 *
 * @param paths  whole, at least 1
 * @param ruinAt equity, relative to the start, at or below which an account counts as ruined
 */
export function simulatePaths(source: PathSource, paths: number, ruinAt: number): PathOutcomes {
  const { steps } = source;
  const equity = new Float64Array(steps);
  const finals = new Float64Array(paths);
  const drawdowns = new Float64Array(paths);
  const fanSteps = chooseFanSteps(steps);
  const fan = fanSteps.map(() => new Float64Array(paths));
  let ruined = 0;
  let lost = 0;
  for (let path = 0; path < paths; path++) {
    source.draw(equity);
    const { drawdown, lowest } = measurePath(equity);
    finals[path] = equity[steps - 1]!;
    drawdowns[path] = drawdown;
    if (lowest <= ruinAt) ruined++;
    if (finals[path]! < 1) lost++;
    for (const [place, step] of fanSteps.entries()) fan[place]![path] = equity[step - 1]!;
  }
  return {
    finals: finals.sort(),
    drawdowns: drawdowns.sort(),
    ruined,
    lost,
    fan: fanSteps.map((step, place) => {
      const sorted = fan[place]!.sort();
      return { step, equity: FAN_SHARES.map((share) => computeQuantile(sorted, share)) };
    }),
  };
}

/** Greatest relative fall from a peak, which the start counts as, and the lowest equity of a path. */
export function measurePath(equity: ArrayLike<number>): { readonly drawdown: number; readonly lowest: number } {
  let peak = 1;
  let lowest = 1;
  let drawdown = 0;
  for (let i = 0; i < equity.length; i++) {
    const value = equity[i]!;
    if (value > peak) peak = value;
    if (value < lowest) lowest = value;
    const fall = (peak - value) / peak;
    if (fall > drawdown) drawdown = fall;
  }
  return { drawdown, lowest };
}

/** Evenly spread, the last one always. */
function chooseFanSteps(steps: number): number[] {
  const count = Math.min(steps, FAN_STEPS);
  return Array.from({ length: count }, (_, i) => Math.round(((i + 1) * steps) / count));
}
