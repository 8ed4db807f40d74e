import { formatCount } from "../../../ground/math/counts.ts";
import type { BacktestReport, StrategyReport } from "../model.ts";
import { formatMetric, getMetric } from "./metrics.ts";
import { formatSignedPercent, formatSignedUsd, formatUsd, negate } from "./numbers.ts";

/** Columns of the comparison of strategies; all but the first are numbers. */
export const STRATEGY_COLUMNS = [
  "Strategy",
  "Leverage",
  "Deposit",
  "Final equity",
  "Return",
  "Max drawdown",
  "Sharpe",
  "Price",
  "Funding",
  "Fees",
  "Liquidation",
  "Total",
  "Liquidations",
] as const;

/** Name of its line for all accounts together. */
export const TOGETHER = "Together";

/** One line for each strategy and one for all accounts together, as text; empty for a run of one strategy. */
export function getStrategyRows(report: BacktestReport): string[][] {
  if (report.strategies.length === 0) return [];
  return [
    ...report.strategies.map(({ name, report: one }) => rowOf(nameWithEnd(name, one), one)),
    rowOf(TOGETHER, report),
  ];
}

function nameWithEnd(name: string, { run }: StrategyReport): string {
  if (run.stopped === null) return name;
  return `${name} (${run.stopped.reason === "wipedOut" ? "wiped out" : "failed"})`;
}

function rowOf(name: string, report: BacktestReport | StrategyReport): string[] {
  const { run, summary, attribution, liquidations } = report;
  const metric = (id: Parameters<typeof getMetric>[1]) => getMetric(report, id);
  const total = metric("totalReturn").value;
  return [
    name,
    run.driver.leverage === null ? "" : `${run.driver.leverage}x`,
    formatUsd(summary.initialEquity),
    formatUsd(summary.finalEquity),
    typeof total === "number" ? formatSignedPercent(total) : "n/a",
    formatMetric(metric("maxDrawdown")),
    formatMetric(metric("sharpe")),
    formatSignedUsd(attribution.price),
    formatSignedUsd(attribution.funding),
    formatSignedUsd(negate(attribution.fees)),
    formatSignedUsd(negate(attribution.liquidation)),
    formatSignedUsd(attribution.total),
    formatCount(liquidations.total),
  ];
}
