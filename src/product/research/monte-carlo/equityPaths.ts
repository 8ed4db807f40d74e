import type { Random } from "../../../ground/math/random.ts";
import { drawPlaces } from "../statistics/stationaryBootstrap.ts";

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
