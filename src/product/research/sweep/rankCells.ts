import { describeMetric, isLessBetter, type Measured, type MetricKey, readValue } from "./metricKey.ts";
import type { SweepCell } from "./sweepCell.ts";

/** The value of a metric as a number; undefined where a cell has none. */
export function metricValue({ record }: Pick<SweepCell, "record">, metric: MetricKey): number | undefined {
  const value = readValue(record, metric);
  return value === null ? undefined : Number(value);
}

/** The metric of a run as a number that is greater where the run was better; null where it has none. */
export function rankValue(record: Measured, metric: MetricKey): number | null {
  const value = readValue(record, metric);
  return value === null ? null : Number(value) * (isLessBetter(metric) ? -1 : 1);
}

/**
 * Cells from the best to the worst by a metric. Cells that have no value come last, after them those that failed; equal
 * ones stay in the order of the grid.
 */
export function rankCells(cells: readonly SweepCell[], metric: MetricKey): SweepCell[] {
  const sign = isLessBetter(metric) ? 1 : -1;
  const classOf = (cell: SweepCell) => (cell.state === "failed" ? 2 : metricValue(cell, metric) === undefined ? 1 : 0);
  return [...cells].sort((a, b) => {
    const byClass = classOf(a) - classOf(b);
    if (byClass !== 0) return byClass;
    return sign * ((metricValue(a, metric) ?? 0) - (metricValue(b, metric) ?? 0));
  });
}

/** The best cell, if any has a value and traded. */
export function findBest(cells: readonly SweepCell[], metric: MetricKey): SweepCell | undefined {
  return rankCells(cells, metric).find((cell) => cell.state !== "idle" && metricValue(cell, metric) !== undefined);
}

/** Label, with the direction of what is better. */
export function describeRanking(metric: MetricKey): string {
  const { label } = describeMetric(metric);
  return isLessBetter(metric) ? `${label}, lowest first` : `${label}, highest first`;
}
