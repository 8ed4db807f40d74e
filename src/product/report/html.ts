import { renderChart } from "./html/chart.ts";
import { getCharts, getFrame } from "./html/charts.ts";
import { html } from "./html/markup.ts";
import { renderPage } from "./html/page.ts";
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

/** A backtest as one HTML file. */
export function renderHtml(report: BacktestReport): string {
  const frame = getFrame(report);
  const charts = getCharts(report);
  return renderPage({
    title: `${report.run.strategy.id}, ${report.run.markets.join(", ")}: backtest report`,
    footer: `perplab, report schema ${report.schemaVersion}. All times are UTC. Curves are thinned so that every extreme is kept; metrics come from every block.`,
    charts,
    frame,
    body: html`${renderHeader(report)}${renderKeyFigures(report)}
<section><h2>Course of the run</h2>
${charts.map((chart, i) => renderChart(chart, frame, i))}</section>
${renderAttribution(report)}${renderMetrics(report)}${renderMonths(report)}${renderLiquidations(report)}${renderInsurance(report)}${renderOrders(report)}${renderData(report)}${renderAssumptions(report)}${renderReproduction(report)}`,
  });
}
