import { formatCount } from "../../../ground/math/counts.ts";
import { ReportError } from "../errors.ts";
import {
  DAYS_MIN,
  getMetricDefinition,
  type MetricGroup,
  type MetricId,
  type MetricReason,
  metricDefinitions,
  TRADES_MIN,
} from "../metrics/definitions.ts";
import type { BacktestReport, ReportMetric } from "../model.ts";
import { formatNumber, formatPercent, formatUsd } from "./numbers.ts";
import { formatDuration } from "./times.ts";

/** Groups in the order in which reports print them. */
export const metricGroups: readonly { readonly group: MetricGroup; readonly title: string }[] = [
  { group: "return", title: "Return" },
  { group: "risk", title: "Risk" },
  { group: "trading", title: "Trading" },
  { group: "cost", title: "Costs" },
];

const reasons: Record<MetricReason, string> = {
  tooFewDays: `fewer than ${DAYS_MIN} full days`,
  tooFewTrades: `fewer than ${TRADES_MIN} round trips`,
  noRoundTrip: "no closed round trip",
  noVariation: "returns do not vary",
  noDownside: "no losing day",
  noDrawdown: "no drawdown",
  noLoss: "no losing round trip",
  equityNotPositive: "equity fell to zero or below",
  externalFlow: "money was moved in or out",
  noPosition: "no position was held",
  noPrice: "no mark price",
  noFill: "no fill",
  noTime: "the run took no time",
};

/** Why a metric is n/a, in words. */
export function formatReason(reason: string): string {
  return reasons[reason as MetricReason] ?? reason;
}

/** A metric's value for people, "n/a" when there is none. */
export function formatMetric({ id, value }: ReportMetric): string {
  if (value === null) return "n/a";
  if (typeof value === "string") return formatUsd(value);
  switch (getMetricDefinition(id).unit) {
    case "fraction":
      return formatPercent(value);
    case "ratio":
      return formatNumber(value, 2);
    case "ms":
      return formatDuration(value);
    default:
      return formatCount(value);
  }
}

/** The metric of a report by its id. */
export function getMetric(report: BacktestReport, id: MetricId): ReportMetric {
  const metric = report.summary.metrics.find((candidate) => candidate.id === id);
  if (metric === undefined) throw new ReportError("REPORT_SCHEMA", "/summary/metrics", `${id} is missing`);
  return metric;
}

/** Metrics of one group with their labels. */
export function getMetricRows(report: BacktestReport, group: MetricGroup) {
  return report.summary.metrics
    .filter(({ id }) => metricDefinitions[id].group === group)
    .map((metric) => {
      const { label, unit, definition } = getMetricDefinition(metric.id);
      const note = metric.reason === undefined ? (unit === "usd" ? "USD" : "") : formatReason(metric.reason);
      return { metric, label, definition, shown: formatMetric(metric), note };
    });
}
