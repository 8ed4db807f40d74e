import Table from "cli-table3";
import picocolors from "picocolors";
import { formatCount } from "../../ground/math/counts.ts";
import type { BacktestReport } from "./model.ts";
import { formatPeriod, getPerformanceFacts, getWarnings } from "./text/facts.ts";
import { getMetric, getMetricRows, metricGroups } from "./text/metrics.ts";
import { formatPercent, formatSignedPercent, formatSignedUsd, formatUsd, negate } from "./text/numbers.ts";
import { listOwnMetrics, OWN_METRIC_HEAD } from "./text/ownMetrics.ts";
import { getStrategyRows, STRATEGY_COLUMNS } from "./text/strategies.ts";
import { formatTime } from "./text/times.ts";

/** Settings of the summary for a terminal. */
export interface TerminalOptions {
  /** Default false. The caller knows whether there is a terminal, and the value of NO_COLOR. */
  readonly colors?: boolean;
}

const frame = {
  top: "",
  "top-mid": "",
  "top-left": "",
  "top-right": "",
  bottom: "",
  "bottom-mid": "",
  "bottom-left": "",
  "bottom-right": "",
  left: "",
  "left-mid": "",
  mid: "",
  "mid-mid": "",
  right: "",
  "right-mid": "",
  middle: "  ",
};

/** A summary for the terminal: metrics in two columns of groups, the attribution, and where to look further. */
export function renderTerminal(report: BacktestReport, { colors = false }: TerminalOptions = {}): string {
  const paint = picocolors.createColors(colors);
  const { run, summary, attribution } = report;
  const total = getMetric(report, "totalReturn").value;
  const tint = (value: number, text: string) => (value > 0 ? paint.green(text) : value < 0 ? paint.red(text) : text);
  const result = typeof total === "number" ? tint(total, formatSignedPercent(total)) : "n/a";
  const lines = [
    `${paint.bold(clean(run.strategy.id))}  ${clean(run.markets.join(", "))}`,
    paint.dim(formatPeriod(report)),
    `${formatUsd(summary.initialEquity)} to ${formatUsd(summary.finalEquity)} USD  ${paint.bold(result)}`,
    ...getWarnings(report).map(({ level, text }) => (level === "error" ? paint.red : paint.yellow)(clean(text))),
    "",
  ];
  const strategies = getStrategyRows(report);
  if (strategies.length > 0) lines.push(paint.bold("Strategies"), renderStrategies(strategies), "");

  const cells = (group: (typeof metricGroups)[number]["group"]) =>
    getMetricRows(report, group).map(({ metric, label, shown, note }) => {
      const value = metric.reason === undefined ? shown : paint.dim(shown);
      return [paint.dim(label), { hAlign: "right" as const, content: value }, paint.dim(note)];
    });
  for (const { group, title } of metricGroups) {
    lines.push(paint.bold(title), renderRows(cells(group)), "");
  }

  const part = (name: string, text: string) => [
    paint.dim(name),
    { hAlign: "right" as const, content: tint(Number(text), formatSignedUsd(text)) },
    paint.dim("USD"),
  ];
  lines.push(
    paint.bold("Where the result came from"),
    renderRows([
      part("Price", attribution.price),
      part("Funding", attribution.funding),
      part("Fees", negate(attribution.fees)),
      part("Liquidation", negate(attribution.liquidation)),
      part("Total", attribution.total),
      [paint.dim("Residual"), { hAlign: "right", content: attribution.residual }, paint.dim("USD")],
    ]),
    "",
  );
  const own = listOwnMetrics(report);
  if (own.length > 0) lines.push(paint.bold("Figures of the strategy"), renderOwnMetrics(own), "");
  if (report.rejections.length > 0) lines.push(paint.bold("Rejections"), renderRejections(report), "");
  lines.push(
    `mark: ${clean(run.driver.markSource)}, state root ${clean(run.engine.stateRoot)}`,
    paint.dim(
      getPerformanceFacts(report)
        .map(([name, value]) => `${name} ${value}`)
        .join(", "),
    ),
  );
  return `${lines.join("\n")}\n`;
}

/** Figures of each strategy; what fits a terminal is the result, the report has the rest. */
function renderStrategies(rows: readonly string[][]): string {
  const shown = [
    "Strategy",
    "Leverage",
    "Deposit",
    "Final equity",
    "Return",
    "Max drawdown",
    "Sharpe",
    "Total",
  ] as const;
  const places = shown.map((name) => STRATEGY_COLUMNS.indexOf(name));
  const right = (content: string, at: number) => (at === 0 ? content : { hAlign: "right" as const, content });
  const lines = rows.map((row) => places.map((place, at) => right(clean(row[place]!), at)));
  return renderRows([shown.map(right), ...lines], [30, 10, 16, 16, 12, 14, 8, 16]);
}

/** Figures that the strategy recorded by `ctx.metric`. */
function renderOwnMetrics(own: readonly (readonly string[])[]): string {
  const right = (content: string) => ({ hAlign: "right" as const, content });
  const rows = [OWN_METRIC_HEAD, ...own];
  return renderRows(
    rows.map(([name = "", ...values]) => [clean(name), ...values.map(right)]),
    [30, 10, 16, 16, 16, 16],
  );
}

/** Codes with how often, their share of all orders, and the first and last time. */
function renderRejections({ rejections }: BacktestReport): string {
  const rows = rejections.map(({ code, count, share, firstMs, lastMs }) => [
    clean(code),
    { hAlign: "right" as const, content: formatCount(count) },
    { hAlign: "right" as const, content: share === null ? "" : formatPercent(share) },
    formatTime(firstMs),
    formatTime(lastMs),
  ]);
  const right = (content: string) => ({ hAlign: "right" as const, content });
  const head = ["Code", right("Count"), right("Of all orders"), "First (UTC)", "Last (UTC)"];
  return renderRows([head, ...rows], [30, 12, 14, 24, 24]);
}

type Cell = string | { readonly hAlign: "right"; readonly content: string };

function renderRows(rows: readonly Cell[][], colWidths = [30, 18, 36]): string {
  const table = new Table({
    chars: frame,
    style: { "padding-left": 0, "padding-right": 0, head: [], border: [] },
    colWidths,
  });
  table.push(...rows.map((row) => [...row]));
  return table
    .toString()
    .split("\n")
    .map((line) => `  ${line.trimEnd()}`)
    .join("\n");
}

/** A name must not be able to move the cursor or colour the terminal. */
function clean(text: string): string {
  return text.replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, "\ufffd");
}
