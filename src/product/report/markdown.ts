import { countOf, formatCount } from "../../ground/math/counts.ts";
import type { BacktestReport } from "./model.ts";
import {
  type Fact,
  formatPeriod,
  getDriverFacts,
  getIdentityFacts,
  getParameterFacts,
  getPerformanceFacts,
  getWarnings,
} from "./text/facts.ts";
import { getMetricRows, metricGroups } from "./text/metrics.ts";
import { formatPercent, formatSignedUsd, formatUsd, groupThousands, negate } from "./text/numbers.ts";
import { getOwnMetrics, listOwnMetrics, OWN_METRIC_HEAD } from "./text/ownMetrics.ts";
import { getStrategyRows, STRATEGY_COLUMNS } from "./text/strategies.ts";
import { formatTime } from "./text/times.ts";

/** Most rows of a list; the JSON report has what was kept. */
const ROWS_SHOWN = 50;

/** The strategies of a run next to each other; nothing for a run of one. */
function strategyTable(report: BacktestReport): string[] {
  const rows = getStrategyRows(report).map((row) => row.map(escapeMarkdown));
  const numbers = STRATEGY_COLUMNS.map((_, at) => at).slice(1);
  return rows.length === 0 ? [] : ["## Strategies", table([...STRATEGY_COLUMNS], rows, numbers)];
}

/** The report without its curves, for a pull request or a notebook. */
export function renderMarkdown(report: BacktestReport): string {
  const { run, summary, attribution, liquidations, insurance, orders, rejections } = report;
  const blocks = [
    `# ${escapeMarkdown(run.strategy.id)}: backtest report`,
    `${escapeMarkdown(run.markets.join(", "))}, ${formatPeriod(report)}. Equity ${formatUsd(summary.initialEquity)} to ${formatUsd(summary.finalEquity)} USD.`,
    ...getWarnings(report).map(
      ({ level, text }) => `> **${level === "error" ? "Error" : "Note"}:** ${escapeMarkdown(text)}`,
    ),
    ...factTable("Parameters", getParameterFacts(report)),
    ...strategyTable(report),
    ...metricGroups.flatMap(({ group, title }) => [
      `## ${title}`,
      table(
        ["Metric", "Value", ""],
        getMetricRows(report, group).map(({ label, shown, note }) => [label, shown, note]),
        [1],
      ),
    ]),
    ...(getOwnMetrics(report).length === 0
      ? []
      : [
          "## Figures of the strategy",
          table(
            OWN_METRIC_HEAD,
            listOwnMetrics(report).map(([name = "", ...values]) => [escapeMarkdown(name), ...values]),
            [1, 2, 3, 4, 5],
          ),
        ]),
    "## Where the result came from",
    table(
      ["Cause", "USD"],
      [
        ["Price", formatSignedUsd(attribution.price)],
        ["Funding", formatSignedUsd(attribution.funding)],
        ["Fees", formatSignedUsd(negate(attribution.fees))],
        ["Liquidation", formatSignedUsd(negate(attribution.liquidation))],
        ["**Total**", `**${formatSignedUsd(attribution.total)}**`],
        ["Residual", attribution.residual],
      ],
      [1],
    ),
    "## Liquidations",
    ...(liquidations.kept.length === 0 ? ["None."] : liquidations.kept.slice(0, ROWS_SHOWN).map(formatLiquidation)),
    ...more(liquidations),
    ...(insurance.kept.length === 0
      ? []
      : [
          "## Insurance fund",
          table(
            ["Time (UTC)", "Cause", "Amount", "Balance"],
            insurance.kept
              .slice(0, ROWS_SHOWN)
              .map((item) => [
                formatTime(item.timeMs),
                escapeMarkdown(item.cause),
                formatSignedUsd(item.amount),
                formatUsd(item.balance),
              ]),
            [2, 3],
          ),
          ...more(insurance),
        ]),
    "## Orders",
    `Placed ${formatCount(orders.placed)}, amended ${formatCount(orders.amended)}, cancelled ${formatCount(orders.cancelled)}, expired ${formatCount(orders.expired)}, refused ${formatCount(orders.refused)}; ${countOf(report.fills.total, "fill")}.`,
    ...(rejections.length === 0
      ? ["No transaction was refused."]
      : [
          table(
            ["Rejection", "Count", "Of all orders", "First (UTC)", "Last (UTC)"],
            rejections.map((item) => [
              codeCell(item.code),
              formatCount(item.count),
              item.share === null ? "" : formatPercent(item.share),
              formatTime(item.firstMs),
              formatTime(item.lastMs),
            ]),
            [1, 2],
          ),
        ]),
    "## Data quality",
    ...(run.data.length === 0 ? ["The run read no files."] : run.data.map(formatFile)),
    "## Assumptions",
    ...(run.assumptions.length === 0
      ? []
      : [run.assumptions.map((sentence) => `- ${escapeMarkdown(sentence)}`).join("\n")]),
    ...factTable("Settings of the replay", getDriverFacts(report)),
    "## Make this run again",
    codeBlock(run.command),
    table(
      ["", ""],
      [...getIdentityFacts(report), ...getPerformanceFacts(report)].map(([name, value]) => [
        escapeMarkdown(name),
        codeCell(value),
      ]),
    ),
  ];
  return `${blocks.join("\n\n")}\n`;
}

function factTable(title: string, facts: readonly Fact[]): string[] {
  if (facts.length === 0) return [];
  return [
    `## ${title}`,
    table(
      ["Name", "Value"],
      facts.map(([name, value]) => [escapeMarkdown(name), escapeMarkdown(value)]),
    ),
  ];
}

function more({ kept, total }: { readonly kept: readonly unknown[]; readonly total: number }): string[] {
  const shown = Math.min(kept.length, ROWS_SHOWN);
  return shown < total ? [`Showing ${formatCount(shown)} of ${formatCount(total)}.`] : [];
}

function formatLiquidation(item: BacktestReport["liquidations"]["kept"][number]): string {
  return [
    `**${formatTime(item.timeMs)} UTC**, ${item.side} ${groupThousands(item.size)} ${escapeMarkdown(item.market)} (${code(item.id)}): mark ${groupThousands(item.mark)}, equity ${formatUsd(item.equity)} against ${formatUsd(item.maintenance)} USD of maintenance margin; ${escapeMarkdown(item.stages.join(" > "))}. Insurance fund ${formatSignedUsd(item.insuranceDelta)} USD, deficit ${formatUsd(item.deficit)} USD.`,
    table(
      ["Time (UTC)", "Closed by", "Size", "Price", "Value", "Fee"],
      item.fills.map((fill) => [
        formatTime(fill.timeMs),
        escapeMarkdown(fill.kind),
        groupThousands(fill.size),
        groupThousands(fill.price),
        formatUsd(fill.value),
        formatUsd(fill.fee),
      ]),
      [2, 3, 4, 5],
    ),
  ].join("\n\n");
}

function formatFile(file: BacktestReport["run"]["data"][number]): string {
  const head = `${code(file.name)}: ${countOf(file.rows, "row")}, sha256 ${code(file.sha256)}`;
  if (file.findings.length === 0) return `${head}. No defects found.`;
  const rows = file.findings.map((finding) => [
    codeCell(finding.kind),
    formatCount(finding.count),
    finding.line === null ? "" : String(finding.line),
    escapeMarkdown(finding.column ?? ""),
    escapeMarkdown(finding.sample),
  ]);
  return `${head}.\n\n${table(["Defect", "Count", "Line", "Column", "Found"], rows, [1, 2])}`;
}

/** A table; columns of `right` are numbers. */
function table(head: readonly string[], rows: readonly (readonly string[])[], right: readonly number[] = []): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  const rule = head.map((_, i) => (right.includes(i) ? "---:" : "---"));
  return [line(head), line(rule), ...rows.map(line)].join("\n");
}

/** Text that no Markdown reader takes for markup, on one line. */
function escapeMarkdown(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, " ").replace(/[\\`*_[\]<>|#~&]/g, (character) => `\\${character}`);
}

/** Text in a code span: the fence is longer than any run of backticks in it. */
function code(text: string): string {
  const line = text.replace(/[\p{Cc}\u2028\u2029]+/gu, " ");
  const fence = getFence(line, 1);
  const space = fence.length > 1 ? " " : "";
  return `${fence}${space}${line}${space}${fence}`;
}

/** A code span in a table, where a bar would end the cell. */
function codeCell(text: string): string {
  return code(text).replaceAll("|", "\\|");
}

/** A block of its own, as it is to be typed. */
function codeBlock(text: string): string {
  const line = text.replace(/[\p{Cc}\u2028\u2029]+/gu, " ");
  const fence = getFence(line, 3);
  return `${fence}sh\n${line}\n${fence}`;
}

function getFence(text: string, least: number): string {
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  return "`".repeat(Math.max(least, longest + 1));
}
