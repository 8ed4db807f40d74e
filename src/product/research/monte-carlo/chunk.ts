import { computeQuantile } from "../statistics/quantiles.ts";
import { measurePath, type PathSource } from "./equityPaths.ts";

/** Paths that are drawn from one random stream. With another number every simulation has other results. */
export const CHUNK_PATHS = 1_000;

/** Quantiles that a fan shows. */
export const FAN_SHARES = [0.05, 0.25, 0.5, 0.75, 0.95] as const;

/** Steps at which a fan has its quantiles, at most. */
const FAN_STEPS = 120;

/** Equity after so many steps, by `FAN_SHARES`. */
export interface FanStep {
  readonly step: number;
  readonly equity: readonly number[];
}

/** The results of some paths. Equity is relative to the start, which is 1. */
export interface PathOutcomes {
  /** Sorted ascending: equity at the end. */
  readonly finals: Float64Array;
  /** Sorted ascending: greatest fall from a peak, relative to the peak. */
  readonly drawdowns: Float64Array;
  /** Paths whose equity reached the ruin level at any step. */
  readonly ruined: number;
  /** Quantiles of equity at chosen steps. */
  readonly fan: readonly FanStep[];
}

/**
 * Draws paths and measures each.
 *
 * @param paths  whole, at least 1
 * @param ruinAt equity, relative to the start, at or below which an account counts as ruined
 */
export function simulateChunk(source: PathSource, paths: number, ruinAt: number): PathOutcomes {
  const { steps } = source;
  const equity = new Float64Array(steps);
  const finals = new Float64Array(paths);
  const drawdowns = new Float64Array(paths);
  const fanSteps = chooseFanSteps(steps);
  const fan = fanSteps.map(() => new Float64Array(paths));
  let ruined = 0;
  for (let path = 0; path < paths; path++) {
    source.draw(equity);
    const { drawdown, lowest } = measurePath(equity);
    finals[path] = equity[steps - 1]!;
    drawdowns[path] = drawdown;
    if (lowest <= ruinAt) ruined++;
    for (const [place, step] of fanSteps.entries()) fan[place]![path] = equity[step - 1]!;
  }
  return {
    finals: finals.sort(),
    drawdowns: drawdowns.sort(),
    ruined,
    fan: fanSteps.map((step, place) => {
      const sorted = fan[place]!.sort();
      return { step, equity: FAN_SHARES.map((share) => computeQuantile(sorted, share)) };
    }),
  };
}

/**
 * Joins the results of the chunks of a simulation. All are exact but the fan: a chunk keeps five numbers of each step
 * and not its paths, so the fan is the mean of the chunks' quantiles, each weighed by its number of paths.
 *
 * @param chunks at least one, of the same source
 */
export function joinChunks(chunks: readonly PathOutcomes[]): PathOutcomes {
  const paths = chunks.reduce((sum, { finals }) => sum + finals.length, 0);
  const fan = chunks[0]!.fan.map(({ step }, place) => ({
    step,
    equity: FAN_SHARES.map((_, share) =>
      chunks.reduce((sum, chunk) => sum + chunk.fan[place]!.equity[share]! * (chunk.finals.length / paths), 0),
    ),
  }));
  return {
    finals: joinSorted(chunks.map(({ finals }) => finals)),
    drawdowns: joinSorted(chunks.map(({ drawdowns }) => drawdowns)),
    ruined: chunks.reduce((sum, { ruined }) => sum + ruined, 0),
    fan,
  };
}

function joinSorted(parts: readonly Float64Array[]): Float64Array {
  const all = new Float64Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all.sort();
}

/** Evenly spread, the last one always. */
function chooseFanSteps(steps: number): number[] {
  const count = Math.min(steps, FAN_STEPS);
  return Array.from({ length: count }, (_, i) => Math.round(((i + 1) * steps) / count));
}
