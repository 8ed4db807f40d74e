import { findNearest } from "../../../ground/collections/nearest.ts";
import {
  getMetricDefinition,
  type MetricId,
  type MetricReason,
  metricDefinitions,
} from "../../report/metrics/definitions.ts";
import { formatMetric } from "../../report/text/metrics.ts";
import type { RunFigures, RunRecord } from "../runs/record.ts";
import { SweepError } from "./errors.ts";

/** A metric of a run, `sharpe`, or of one of its strategies, `sharpe@bold`. */
export type MetricKey = MetricId | `${MetricId}@${string}`;

/** A record as far as metrics are read from it. */
export type Measured = Pick<RunRecord, "metrics" | "reasons"> & {
  readonly strategies: readonly (Pick<RunFigures, "metrics" | "reasons"> & { readonly name: string })[];
};

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

/**
 * Reads a metric: an id in any case, and the name of a strategy after `@`.
 *
 * @param names of the strategies of the run
 * @returns of the only strategy of a run, the metric of the run
 * @throws {SweepError} METRIC_UNKNOWN
 */
export function readMetric(option: string, text: string, names: readonly string[]): MetricKey {
  const { id: given, of } = splitMetric(text);
  const ids = Object.keys(metricDefinitions) as MetricId[];
  const found = ids.find((id) => id.toLowerCase() === given.toLowerCase());
  if (found === undefined) throw unknown(option, `there is no metric ${JSON.stringify(given)}`, "metrics", given, ids);
  if (of === undefined) return found;
  if (!names.includes(of)) throw unknown(option, `there is no strategy ${JSON.stringify(of)}`, "strategies", of, names);
  return names.length === 1 ? found : `${found}@${of}`;
}

function unknown(option: string, reason: string, kind: string, given: string, known: readonly string[]): SweepError {
  const nearest = findNearest(given, known);
  const list = `${kind} are ${known.join(", ")}`;
  const hint = nearest === undefined ? list : `did you mean ${nearest}? ${list}`;
  return new SweepError("METRIC_UNKNOWN", reason, { place: option, hint });
}

/** The two parts of a key; `of` is undefined for a metric of the run. */
export function splitMetric(key: string): { readonly id: string; readonly of: string | undefined } {
  const at = key.indexOf("@");
  return at < 0 ? { id: key, of: undefined } : { id: key.slice(0, at), of: key.slice(at + 1) };
}

function idOf(key: MetricKey): MetricId {
  return splitMetric(key).id as MetricId;
}

/** The definition of a metric; its label has the name of the strategy. */
export function describeMetric(key: MetricKey): ReturnType<typeof getMetricDefinition> {
  const { of } = splitMetric(key);
  const definition = getMetricDefinition(idOf(key));
  return of === undefined ? definition : { ...definition, label: `${definition.label}, ${of}` };
}

export function isLessBetter(key: MetricKey): boolean {
  return LESS_IS_BETTER.has(idOf(key));
}

/** The figures of a run, or of one of its strategies; undefined for a run that failed. */
function figuresOf(record: Measured, key: MetricKey): Pick<RunFigures, "metrics" | "reasons"> | undefined {
  const { of } = splitMetric(key);
  return of === undefined ? record : record.strategies.find(({ name }) => name === of);
}

/** The value of a metric as a record has it; null where it has none. */
export function readValue(record: Measured, key: MetricKey): number | string | null {
  return figuresOf(record, key)?.metrics[idOf(key)] ?? null;
}

/** Why a metric has no value. */
export function readReason(record: Measured, key: MetricKey): MetricReason | undefined {
  return figuresOf(record, key)?.reasons[idOf(key)];
}

/** The value of a metric for a reader: `n/a` where it has none. */
export function showMetric(record: Measured, key: MetricKey): string {
  const { version } = describeMetric(key);
  return formatMetric({ id: idOf(key), version, value: readValue(record, key) });
}

/** A number of this metric for a reader. */
export function showNumber(key: MetricKey, value: number): string {
  const { unit, version } = describeMetric(key);
  const exact = unit === "usd" ? value.toFixed(6).replace(/\.?0+$/, "") : value;
  return formatMetric({ id: idOf(key), version, value: exact });
}
