import { formatCount } from "../../../ground/math/counts.ts";
import type { BacktestReport } from "../model.ts";

/** Figures of the strategy's own (`ctx.metric`) as rows: name, values recorded, last, least, greatest and mean. */
export const OWN_METRIC_HEAD = ["Figure", "Values", "Last", "Least", "Greatest", "Mean"] as const;

/** Significant digits of a value whose unit only the strategy knows. */
const DIGITS = 6;

/** The strategy's own figures, or those of each of several, with the strategy's name before them. */
export function getOwnMetrics({ ownMetrics, strategies }: BacktestReport): BacktestReport["ownMetrics"] {
  const own = strategies.flatMap(({ name, report }) =>
    report.ownMetrics.map((metric) => ({ ...metric, name: `${name}: ${metric.name}` })),
  );
  return [...ownMetrics, ...own];
}

export function listOwnMetrics(report: BacktestReport): string[][] {
  return getOwnMetrics(report).map(({ name, count, last, least, greatest, mean }) => [
    name,
    formatCount(count),
    ...[last, least, greatest, mean].map(formatValue),
  ]);
}

/** At most six significant digits, without needless zeros: `0.125`, `-3`, `1.5e+21`. */
function formatValue(value: number): string {
  return Number.isInteger(value) && Math.abs(value) < 1e15
    ? formatCount(value + 0)
    : String(Number(value.toPrecision(DIGITS)));
}
