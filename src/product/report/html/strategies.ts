import type { BacktestReport, StrategyReport } from "../model.ts";
import { getDriverFacts, getParameterFacts, getWarnings } from "../text/facts.ts";
import { getMetric } from "../text/metrics.ts";
import { formatSignedPercent, formatUsd } from "../text/numbers.ts";
import { getStrategyRows, STRATEGY_COLUMNS } from "../text/strategies.ts";
import type { Chart, ChartLine } from "./chart.ts";
import { html, type Markup, toMinus } from "./markup.ts";
import { renderAttribution, renderKeyFigures, renderMetrics } from "./summary.ts";
import { renderLiquidations, renderRejections } from "./tables.ts";

/** Colours of lines; a chart has no more lines than that. */
const TONES = 8;

/** Returns and drawdowns of the strategies of a run in charts of at most eight lines; none for a run of one. */
export function getStrategyCharts({ strategies, run }: BacktestReport): Chart[] {
  const charts: Chart[] = [];
  for (let from = 0; from < strategies.length; from += TONES) {
    const some = strategies.slice(from, from + TONES);
    const lines = (valuesOf: (report: StrategyReport) => number[]): ChartLine[] =>
      some.map(({ name, report }, place) => ({
        label: name,
        tone: `c${place + 1}`,
        shape: "line",
        times: [run.startMs, ...report.account.timeMs],
        values: [0, ...valuesOf(report)],
      }));
    charts.push(
      {
        title: "Return by strategy",
        note: "of the deposit of each account",
        height: 220,
        suffix: " %",
        digits: 2,
        include: [0],
        lines: lines(({ account, summary }) =>
          account.equity.map((text) => (Number(text) / Number(summary.initialEquity) - 1) * 100),
        ),
      },
      {
        title: "Drawdown by strategy",
        note: "from the highest equity of each account so far",
        height: 150,
        suffix: " %",
        digits: 2,
        include: [0],
        lines: lines(({ account }) => account.drawdown.map((value) => -value * 100 + 0)),
      },
    );
  }
  return charts;
}

/** The strategies of a run next to each other, and each by itself; nothing for a run of one. */
export function renderStrategies(report: BacktestReport): Markup | false {
  const rows = getStrategyRows(report);
  if (rows.length === 0) return false;
  const cells = (row: readonly string[]) => row.slice(1).map((text) => html`<td class="n">${toMinus(text)}</td>`);
  const line = (row: readonly string[]) => html`<tr><th scope="row">${row[0] ?? ""}</th>${cells(row)}</tr>`;
  const head = STRATEGY_COLUMNS.map((name, at) =>
    at === 0 ? html`<th>${name}</th>` : html`<th class="n">${name}</th>`,
  );
  return html`<section id="strategies"><h2>Strategies</h2>
<div class="scroll"><table><thead><tr>${head}</tr></thead><tbody>${rows.slice(0, -1).map(line)}</tbody><tfoot>${line(rows.at(-1)!)}</tfoot></table></div>
<p class="empty">Money in USD. Each strategy has an account of its own; causes of all accounts add up to those of all together, to the unit.</p>
${report.strategies.map(({ name, report: one }) => renderStrategy(name, one))}</section>
`;
}

function renderStrategy(name: string, report: StrategyReport): Markup {
  const { summary, run } = report;
  const total = getMetric(report, "totalReturn").value;
  const result = typeof total === "number" ? formatSignedPercent(total) : "n/a";
  const parameters = getParameterFacts(report);
  const warnings = getWarnings(report).filter(({ text }) => run.stopped?.text === text || !run.notices.includes(text));
  const settings = getDriverFacts(report).filter(([fact]) => ACCOUNT_FACTS.has(fact));
  return html`<details class="folded strategy" id="strategy-${name}"><summary>${name}: ${toMinus(`${formatUsd(summary.initialEquity)} to ${formatUsd(summary.finalEquity)} USD, ${result}`)}</summary>
<ul class="chips">${[...settings, ...parameters].map(([fact, value]) => html`<li>${fact} <b>${value}</b></li>`)}</ul>
${warnings.length > 0 && html`<ul class="notices">${warnings.map(({ level, text }) => html`<li class="${level}">${text}</li>`)}</ul>`}
${renderKeyFigures(report)}${renderAttribution(report, `${name}-result`)}${renderMetrics(report, `${name}-metrics`)}${renderLiquidations(report, `${name}-liquidations`)}${renderRejections(report)}</details>
`;
}

/** Settings that strategies of a run do not share. */
const ACCOUNT_FACTS: ReadonlySet<string> = new Set([
  "latency",
  "feed latency",
  "receipt latency",
  "rate limit",
  "outages",
  "leverage",
  "seed",
  "deposit",
  "margin mode",
]);
