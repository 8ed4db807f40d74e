import { createHash } from "node:crypto";
import { type Chart, renderChart, toChartData } from "./html/chart.ts";
import { getCharts, getFrame } from "./html/charts.ts";
import { html, Markup, toScriptJson } from "./html/markup.ts";
import { script } from "./html/script.ts";
import { style } from "./html/style.ts";
import { renderAttribution, renderHeader, renderKeyFigures, renderMetrics, renderMonths } from "./html/summary.ts";
import {
  renderAssumptions,
  renderData,
  renderInsurance,
  renderLiquidations,
  renderOrders,
  renderReproduction,
} from "./html/tables.ts";
import type { BacktestReport } from "./model.ts";

/**
 * One HTML file that needs nothing else: no network, no fonts, no libraries. It reads without its script, follows the
 * reader's choice of light or dark, and its content policy lets no other script run, whatever the data says.
 */
export function renderHtml(report: BacktestReport): string {
  const frame = getFrame(report);
  const charts = getCharts(report);
  const policy = `default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-${hashScript(script)}'; base-uri 'none'; form-action 'none'`;
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${report.run.strategy.id}, ${report.run.markets.join(", ")}: backtest report</title>
<style>${new Markup(style)}</style>
</head>
<body>
<main>
${renderHeader(report)}${renderKeyFigures(report)}
<section><h2>Course of the run</h2>
${charts.map((chart, i) => renderChart(chart, frame, i))}</section>
${renderAttribution(report)}${renderMetrics(report)}${renderMonths(report)}${renderLiquidations(report)}${renderInsurance(report)}${renderOrders(report)}${renderData(report)}${renderAssumptions(report)}${renderReproduction(report)}
<footer>perplab, report schema ${report.schemaVersion}. All times are UTC. Curves are thinned so that every extreme is kept; metrics come from every block.</footer>
</main>
<script type="application/json" id="data">${toScriptJson({ from: frame.fromMs, to: frame.toMs, charts: charts.map(toData) })}</script>
<script>${new Markup(script)}</script>
</body>
</html>
`;
  return page.text;
}

function toData(chart: Chart) {
  return chart.lines.map((line) => toChartData(line, chart));
}

function hashScript(text: string): string {
  return createHash("sha256").update(text, "utf8").digest("base64");
}
