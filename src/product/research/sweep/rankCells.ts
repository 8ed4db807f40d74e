import { findNearest } from "../../../ground/collections/nearest.ts";
import { getMetricDefinition, type MetricId, metricDefinitions } from "../../report/metrics/definitions.ts";
import { SweepError } from "./errors.ts";
import type { SweepCell } from "./sweepCell.ts";

/** Metrics of which less is better. */
const LESS_IS_BETTER: ReadonlySet<MetricId> = new Set([
  "volatility",
  "maxDrawdown",
  "maxDrawdownDuration",
  "buyAndHoldMaxDrawdown",
  "peakMarginRatio",
  "timeNearLiquidation",
  "liquidations",
  "liquidationNotional",
  "deficit",
  "rejected",
  "makerFees",
  "takerFees",
  "liquidationFees",
  "fundingPaid",
]);

/** The metric of an id, in any case. @throws {SweepError} METRIC_UNKNOWN */
export function readMetric(option: string, text: string): MetricId {
  const ids = Object.keys(metricDefinitions) as MetricId[];
  const found = ids.find((id) => id.toLowerCase() === text.toLowerCase());
  if (found !== undefined) return found;
  const nearest = findNearest(text, ids);
  const list = `metrics are ${ids.join(", ")}`;
  throw new SweepError("METRIC_UNKNOWN", `there is no metric ${JSON.stringify(text)}`, {
    place: option,
    hint: nearest === undefined ? list : `did you mean ${nearest}? ${list}`,
  });
}

export function isLessBetter(metric: MetricId): boolean {
  return LESS_IS_BETTER.has(metric);
}

/** The value of a metric as a number; undefined where a cell has none. */
export function metricValue({ record }: Pick<SweepCell, "record">, metric: MetricId): number | undefined {
  const value = record.metrics[metric];
  return value === null || value === undefined ? undefined : Number(value);
}

/** The metric of a run as a number that is greater where the run was better; null where it has none. */
export function rankValue(record: Pick<SweepCell["record"], "metrics">, metric: MetricId): number | null {
  const value = record.metrics[metric];
  return value === null || value === undefined ? null : Number(value) * (isLessBetter(metric) ? -1 : 1);
}

/**
 * Cells from the best to the worst by a metric. Cells that have no value come last, after them those that failed; equal
 * ones stay in the order of the grid.
 */
export function rankCells(cells: readonly SweepCell[], metric: MetricId): SweepCell[] {
  const sign = isLessBetter(metric) ? 1 : -1;
  const classOf = (cell: SweepCell) => (cell.state === "failed" ? 2 : metricValue(cell, metric) === undefined ? 1 : 0);
  return [...cells].sort((a, b) => {
    const byClass = classOf(a) - classOf(b);
    if (byClass !== 0) return byClass;
    return sign * ((metricValue(a, metric) ?? 0) - (metricValue(b, metric) ?? 0));
  });
}

/** The best cell, if any has a value and traded. */
export function findBest(cells: readonly SweepCell[], metric: MetricId): SweepCell | undefined {
  return rankCells(cells, metric).find((cell) => cell.state !== "idle" && metricValue(cell, metric) !== undefined);
}

/** Label, with the direction of what is better. */
export function describeRanking(metric: MetricId): string {
  const { label } = getMetricDefinition(metric);
  return isLessBetter(metric) ? `${label}, lowest first` : `${label}, highest first`;
}
