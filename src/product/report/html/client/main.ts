/**
 * The script of every page: charts that zoom, tables that sort, the choice of colours. The page is whole without it.
 * `npm run generate` bundles it into `script.generated.ts`.
 */
import { type ChartsData, decodeCharts } from "../chartData.ts";
import type { DataTable } from "../dataTable.ts";
import type { Heatmap, HeatmapView } from "../heatmap.ts";
import { startCharts } from "./charts.ts";
import { startCopy } from "./copy.ts";
import { startHeatmap } from "./heatmap.ts";
import { startSearch } from "./search.ts";
import { startTables } from "./tables.ts";
import { startTheme } from "./theme.ts";

const data = JSON.parse(document.getElementById("data")!.textContent!) as ChartsData & {
  readonly tables: readonly DataTable[];
  readonly heatmap?: Heatmap;
  readonly heatmapView?: HeatmapView;
};
startTheme();
const { charts, frame } = decodeCharts(data);
const focus = startCharts(charts, frame);
startTables(data.tables, focus);
startCopy();
startHeatmap(data.heatmap, data.heatmapView);
startSearch();
for (const button of document.querySelectorAll<HTMLElement>("[data-from][data-to]")) {
  button.hidden = false;
  button.addEventListener("click", () => focus(Number(button.dataset["from"]), Number(button.dataset["to"])));
}
