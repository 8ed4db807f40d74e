import type { Axis } from "./grid/grid.ts";
import { isLessBetter, type MetricKey } from "./metricKey.ts";
import { metricValue } from "./rankCells.ts";
import type { SweepCell } from "./sweepCell.ts";

/** Results of one value of an axis, over all values of the other axes. */
export interface AxisSummary {
  readonly text: string;
  readonly cells: number;
  /** Of the metric; undefined where no cell has a value. */
  readonly median: number | undefined;
  readonly best: number | undefined;
  /** Cells that were liquidated, wiped out or not. */
  readonly liquidated: number;
  readonly failed: number;
}

/** The cells of each value of an axis, summed up. */
export function summariseAxis(
  axes: readonly Axis[],
  at: number,
  cells: readonly SweepCell[],
  metric: MetricKey,
): AxisSummary[] {
  return axes[at]!.values.map(({ text }, place) => {
    const own = cells.filter(({ point }) => point[at] === place);
    const values = own.flatMap((cell) => metricValue(cell, metric) ?? []).sort((a, b) => a - b);
    return {
      text,
      cells: own.length,
      median: medianOf(values),
      best: isLessBetter(metric) ? values[0] : values.at(-1),
      liquidated: own.filter(({ state }) => state === "liquidated" || state === "wipedOut").length,
      failed: own.filter(({ state }) => state === "failed").length,
    };
  });
}

/** Of sorted numbers; of an even count the mean of the two in the middle. */
function medianOf(sorted: readonly number[]): number | undefined {
  if (sorted.length === 0) return undefined;
  const [low, high] = [sorted[(sorted.length - 1) >> 1]!, sorted[sorted.length >> 1]!];
  return (low + high) / 2;
}
