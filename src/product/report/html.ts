import { getChartGroups, getFrame } from "./html/charts.ts";
import { html } from "./html/markup.ts";
import { renderPage } from "./html/page.ts";
import { renderReturns } from "./html/returns.ts";
import { getTripTable, renderRoundTrips } from "./html/roundTrips.ts";
import { renderStack } from "./html/stack.ts";
import { renderStrategies } from "./html/strategies.ts";
import { getBarFigures, renderAttribution, renderHeader, renderKeyFigures, renderMetrics } from "./html/summary.ts";
import {
  getFillTable,
  renderAssumptions,
  renderData,
  renderInsurance,
  renderLiquidations,
  renderOrders,
  renderReproduction,
  TRIP_TABLE,
} from "./html/tables.ts";
import type { BacktestReport } from "./model.ts";

/** A backtest as one HTML file. */
export function renderHtml(report: BacktestReport): string {
  const frame = getFrame(report);
  const groups = getChartGroups(report);
  const charts = groups.flatMap((group) => group.charts);
  const trips = getTripTable(report);
  // In the order of FILL_TABLE and TRIP_TABLE.
  const tables = [getFillTable(report), trips];
  return renderPage({
    title: `${report.run.strategy.id}, ${report.run.markets.join(", ")}: backtest report`,
    footer: `perplab, report schema ${report.schemaVersion}. All times are UTC. Curves are thinned so that every extreme is kept; metrics come from every block.`,
    bar: {
      name: report.run.strategy.id,
      figures: getBarFigures(report),
      sections: [
        ...(report.strategies.length > 0 ? ([["strategies", "Strategies"]] as const) : []),
        ["charts", "Charts"],
        ["result", "Result"],
        ["metrics", "Metrics"],
        ["returns", "Returns"],
        ...(report.roundTrips.total > 0 ? ([["trips", "Round trips"]] as const) : []),
        ["liquidations", "Liquidations"],
        ["orders", "Orders"],
        ["quality", "Data"],
        ["run", "Run again"],
      ],
    },
    charts,
    frame,
    tables,
    body: html`${renderHeader(report)}${renderKeyFigures(report)}${renderStrategies(report)}
<section id="charts"><h2>Course of the run</h2>
${renderStack(groups, frame, charts[0]!)}</section>
${renderAttribution(report)}${renderMetrics(report)}${renderReturns(report)}${renderRoundTrips(report, trips, TRIP_TABLE)}${renderLiquidations(report)}${renderInsurance(report)}${renderOrders(report)}${renderData(report)}${renderAssumptions(report)}${renderReproduction(report)}`,
  });
}
