import { countOf, formatCount } from "../../../ground/math/counts.ts";
import { renderCommand } from "../../report/html/command.ts";
import { type Cell, type DataTable, renderDataTable, type TableColumn } from "../../report/html/dataTable.ts";
import { formatHeat, getFirstView, type Heatmap, type HeatmapView, renderHeatmap } from "../../report/html/heatmap.ts";
import { html, type Markup, toMinus } from "../../report/html/markup.ts";
import { renderPage } from "../../report/html/page.ts";
import { formatReason } from "../../report/text/metrics.ts";
import { formatDuration, formatTime } from "../../report/text/times.ts";
import type { RunOptions } from "../runs/job.ts";
import { summariseAxis } from "./byAxis.ts";
import { describeCell } from "./describeCell.ts";
import type { Axis } from "./grid/grid.ts";
import { getMetricColumn } from "./metricColumn.ts";
import { describeMetric, isLessBetter, type MetricKey, readReason, readValue, showMetric } from "./metricKey.ts";
import { findBest, metricValue, rankCells } from "./rankCells.ts";
import { renderSensitivity } from "./sensitivity/html.ts";
import { listContenders } from "./sensitivity/measureSensitivity.ts";
import type { SweepCell } from "./sweepCell.ts";
import {
  countStates,
  explainNoSensitivity,
  findSensitivity,
  listLuck,
  type Sweep,
  type SweptStrategy,
} from "./sweepDocument.ts";

/** Cells that the page carries; beyond them the table has the best, and there is no map. */
const CELLS_SHOWN = 10_000;
/** Values of an axis that a map has room for, and of an axis that is summed up. */
const VALUES_SHOWN = 100;
const BEST_SHOWN = 10;
/** Options whose names differ on the command line: an axis has this name, too. */
const OPTION_NAMES: Readonly<Record<string, string>> = {
  latencyMs: "latency",
  feedLatencyMs: "feed-latency",
  receiptLatencyMs: "receipt-latency",
  rateLimit: "rate-limit",
  outages: "outage",
  blockMs: "block",
  spreadTicks: "spread",
  impactTicks: "impact",
};

/** A sweep as one HTML file. Reports of runs are files next to it. */
export function renderSweepHtml(sweep: Sweep): string {
  const { strategy, cells, sort, data } = sweep;
  const ranked = rankCells(cells, sort);
  const contenders = rankCells(listContenders(sweep), sort);
  const best = findBest(contenders, sort);
  const map = createHeatmap(sweep);
  const view = map === undefined ? undefined : getFirstView(map, mapPoint(sweep, best ?? contenders[0]!));
  const table = createTable(sweep, ranked.slice(0, CELLS_SHOWN));
  const states = countStates(cells);
  const sensitivity = findSensitivity(sweep);
  // A grid of one point has neither a map nor values to compare.
  const isGrid = sweep.axes.some((_, at) => isMapped(sweep, at));
  return renderPage({
    title: `${strategy.id}, ${data.markets.join(", ")}: sweep of ${countOf(cells.length, "run")}`,
    footer:
      "perplab. All times are UTC. Every run is a backtest in the venue, with margin, funding, fees and liquidation.",
    bar: {
      name: `${strategy.id}, sweep`,
      figures: [
        { label: "Runs", value: formatCount(cells.length) },
        ...(best === undefined ? [] : [{ label: `Best ${describeMetric(sort).label}`, value: show(best, sort) }]),
        {
          label: "Liquidated",
          value: formatCount(states.liquidated + states.wipedOut),
          tone: states.liquidated + states.wipedOut > 0 ? "pain" : "",
        },
      ],
      sections: [
        ...(sensitivity === undefined ? [] : [["sensitivity", "Sensitivity"] as const]),
        ...(isGrid ? [["map", "Map"] as const] : []),
        ["best", "Best runs"],
        ...(isGrid ? [["axes", "By axis"] as const] : []),
        ["cells", "All runs"],
        ["run", "Run again"],
      ],
    },
    tables: [table],
    data: { heatmap: map, heatmapView: view },
    body: html`${renderHeader(sweep)}${best !== undefined && renderBest(sweep, best)}
${sensitivity !== undefined && html`<section id="sensitivity"><h2>Sensitivity</h2>${renderSensitivity(sensitivity, sweep.axes, sort)}</section>`}
${isGrid && html`<section id="map"><h2>Map</h2>${renderMapSection(sweep, map, view)}</section>`}
<section id="best"><h2>Best runs</h2>${renderBestRuns(sweep, contenders.slice(0, BEST_SHOWN))}</section>
${isGrid && html`<section id="axes"><h2>By axis</h2><p class="lede">All runs that share a value, whatever their other values are. A good value has a good median.</p><div class="columns">${sweep.axes.map((_, at) => !isVariedAround(sweep, at) && renderAxis(sweep, at))}</div></section>`}
<section id="cells"><h2>All runs</h2>${renderDataTable(table, 0)}</section>
${renderAgain(sweep)}`,
  });
}

function renderHeader(sweep: Sweep): Markup {
  const { strategy, strategies, data, cells, axes, params, options } = sweep;
  const states = countStates(cells);
  const first = cells.find(({ record }) => record.startMs !== null)?.record;
  const period = first === undefined ? [data.fromMs, data.toMs] : [first.startMs!, first.endMs!];
  const fixed = Object.entries(params).filter(
    ([name]) => !axes.some((axis) => axis.name.replace(/^param\./, "") === name),
  );
  const settings = listSettings(options).filter(([name]) => !["fromMs", "toMs"].includes(name));
  const notices: [string, string][] = [];
  const luck = listLuck(sweep);
  if (luck.length > 0) notices.push(["warning", luck.join(" ")]);
  const without = explainNoSensitivity(sweep);
  if (without !== undefined) notices.push(["warning", without]);
  if (states.failed > 0) {
    const error = cells.find(({ state }) => state === "failed")!.record.error!;
    notices.push([
      "error",
      `${formatCount(states.failed)} of ${countOf(cells.length, "run")} failed, the first with ${error.code}: ${error.message}`,
    ]);
  }
  if (states.idle > 0) notices.push(["warning", `${countOf(states.idle, "run")} never traded.`]);
  const facts = [
    data.markets.join(", "),
    `${formatMinute(period[0]!)} to ${formatMinute(period[1]!)} UTC`,
    countOf(cells.length, "run"),
    axes.map(({ name, values }) => `${name}: ${values.length}`).join(", "),
  ];
  return html`<header><p class="eyebrow">Sweep</p><h1>${strategy.id}</h1>
<p class="sub facts">${facts.map((fact) => html`<span>${fact}</span>`)}</p>
${strategies.map((one) => renderStrategy(one, axes))}
${fixed.length + settings.length > 0 && html`<ul class="chips">${[...fixed, ...settings].map(([name, value]) => html`<li>${name} <b>${String(value)}</b></li>`)}</ul>`}
${notices.length > 0 && html`<ul class="notices">${notices.map(([level, text]) => html`<li class="${level}">${text}</li>`)}</ul>`}</header>
`;
}

/** One of several strategies with what all cells share of it: an axis gives its name another value. */
function renderStrategy({ name, id, params, account }: SweptStrategy, axes: readonly Axis[]): Markup {
  const isVaried = (own: string) =>
    axes.some((axis) => {
      const word = axis.name.replace(/^(param|run)\./, "").replace(/@.*$/, "");
      return word === own && (axis.of === undefined || axis.of === name);
    });
  const settings = [...Object.entries(params), ...listSettings(account)];
  const shown = settings.filter(([own]) => !isVaried(own));
  return html`<p class="sub strategy-name"><b>${name}</b> ${name !== id && id}</p><ul class="chips">${shown.map(([own, value]) => html`<li>${own} <b>${String(value)}</b></li>`)}</ul>`;
}

/** Settings by the names of their options; of recorded latencies the file, of outages their number. */
function listSettings({ fees, parameters = {}, barMs, ...options }: RunOptions): [string, unknown][] {
  const venue: [string, unknown][] = [
    ...(fees === undefined ? [] : [["fees", `${fees.maker}/${fees.taker}`] as [string, unknown]]),
    ...(barMs === undefined ? [] : [["bars", formatDuration(barMs)] as [string, unknown]]),
    ...Object.entries(parameters),
  ];
  return [...venue, ...listPlain(options)];
}

function listPlain(options: Omit<RunOptions, "fees" | "parameters" | "barMs">): [string, unknown][] {
  return Object.entries(options).flatMap(([key, value]): [string, unknown][] => {
    const name = OPTION_NAMES[key] ?? key;
    if (Array.isArray(value)) return value.length === 0 ? [] : [[name, countOf(value.length, "time")]];
    if (typeof value === "object") return "file" in value ? [[name, value.file]] : [];
    return [[name, value]];
  });
}

/** The figures of the best run. */
function renderBest(sweep: Sweep, best: SweepCell): Markup {
  const ids: readonly MetricKey[] = [
    ...new Set<MetricKey>([
      sweep.sort,
      "totalReturn",
      "maxDrawdown",
      "sharpe",
      "calmar",
      "roundTrips",
      "fundingPaid",
      "takerFees",
      "peakMarginRatio",
    ]),
  ].slice(0, 8);
  const tiles = ids.map((id) => {
    const reason = readReason(best.record, id);
    const detail = reason === undefined ? "" : formatReason(reason);
    return html`<div><dt>${describeMetric(id).label}</dt><dd class="value">${show(best, id)}</dd><dd class="detail">${detail}</dd></div>`;
  });
  const values = sweep.axes.map(({ name, values: all }, at) => `${name} ${all[best.point[at]!]!.text}`).join(", ");
  return html`<p class="lede best-of">Best by ${describeMetric(sweep.sort).label}: <b>${values}</b></p><dl class="kpis">${tiles}</dl>
`;
}

/** Whether an axis is one of a sensitivity, which has a section of its own. */
function isVariedAround({ around }: Sweep, at: number): boolean {
  return around.some((axis) => axis.at === at);
}

/** Axes that a map has: those of the grid with more than one value. */
function isMapped(sweep: Sweep, at: number): boolean {
  return sweep.axes[at]!.values.length > 1 && !isVariedAround(sweep, at);
}

function renderMapSection(sweep: Sweep, map: Heatmap | undefined, view: HeatmapView | undefined): Markup {
  if (map !== undefined && view !== undefined) {
    return html`<p class="lede">A run of each cell: choose one to open its report, or to see the command that makes it. Red cells were liquidated, whatever they show.</p>${renderHeatmap(map, view)}`;
  }
  const reason =
    sweep.cells.length > CELLS_SHOWN
      ? `A map has room for ${countOf(CELLS_SHOWN, "run")}.`
      : `A map has room for ${VALUES_SHOWN} values of an axis.`;
  return html`<p class="empty">${reason}</p>`;
}

/** Places of a cell on the axes that the map has. */
function mapPoint(sweep: Sweep, { point }: SweepCell): number[] {
  return point.filter((_, at) => isMapped(sweep, at));
}

function createHeatmap(sweep: Sweep): Heatmap | undefined {
  const { axes, sort, metrics, commandOf, reports } = sweep;
  const cells = listContenders(sweep);
  const varied = axes.filter((_, at) => isMapped(sweep, at));
  const isLarge = cells.length > CELLS_SHOWN || varied.some(({ values }) => values.length > VALUES_SHOWN);
  if (varied.length === 0 || isLarge) return undefined;
  const ids = [sort, ...metrics];
  return {
    axes: varied.map(({ name, values }) => ({ name, values: values.map(({ text }) => text) })),
    metrics: ids.map((id) => {
      const { label, unit } = describeMetric(id);
      return { label, unit, isLessBetter: isLessBetter(id) };
    }),
    cells: cells.map((cell) => ({
      point: mapPoint(sweep, cell),
      values: ids.map((id) => metricValue(cell, id) ?? null),
      state: cell.state,
      note: describeCell(cell),
      link: reports.get(cell.hash) ?? "",
      command: commandOf(cell),
    })),
  };
}

function createTable({ axes, cells, sort, metrics }: Sweep, shown: readonly SweepCell[]): DataTable {
  const varied = axes.flatMap((axis, at) => (axis.values.length > 1 ? [{ axis, at }] : []));
  const ids = [sort, ...metrics];
  const columns: TableColumn[] = [
    { key: "rank", label: "#", kind: "count" },
    ...varied.map(
      ({ axis }): TableColumn => ({
        key: axis.name,
        label: axis.name,
        kind: isNumeric(axis.values.map(({ value }) => value)) ? "decimal" : "text",
      }),
    ),
    ...ids.map(toTableColumn),
    { key: "note", label: "", kind: "text" },
  ];
  const rows = shown.map((cell, rank): Cell[] => [
    rank + 1,
    ...varied.map(({ axis, at }) => axis.values[cell.point[at]!]!.text),
    ...ids.map((id) => readValue(cell.record, id)),
    describeCell(cell),
  ]);
  return { name: "sweep", columns, rows, total: cells.length, example: `${ids[0]}>1` };
}

function isNumeric(values: readonly unknown[]): boolean {
  return values.every((value) => typeof value === "number");
}

function toTableColumn(id: MetricKey): TableColumn {
  const { label, definition } = describeMetric(id);
  return { key: id, label, meaning: definition, ...getMetricColumn(id) };
}

function renderBestRuns(sweep: Sweep, best: readonly SweepCell[]): Markup {
  const { axes, sort, metrics, reports } = sweep;
  const ids = [sort, ...metrics];
  const varied = axes.flatMap((axis, at) => (isMapped(sweep, at) ? [{ axis, at }] : []));
  const rows = best.map((cell, rank) => {
    const link = reports.get(cell.hash);
    return html`<tr><td class="n">${rank + 1}</td>${varied.map(({ axis, at }) => html`<td class="n">${axis.values[cell.point[at]!]!.text}</td>`)}${ids.map((id) => html`<td class="n">${show(cell, id)}</td>`)}<td class="note">${describeCell(cell)}</td><td>${link !== undefined && html`<a href="${link}">report</a>`}</td></tr>`;
  });
  return html`<div class="scroll"><table><thead><tr><th class="n">#</th>${varied.map(({ axis }) => html`<th class="n">${axis.name}</th>`)}${ids.map((id) => html`<th class="n">${describeMetric(id).label}</th>`)}<th></th><th></th></tr></thead><tbody>${rows}</tbody></table></div>`;
}

function renderAxis({ axes, cells, sort }: Sweep, at: number): Markup {
  const axis = axes[at]!;
  if (axis.values.length < 2 || axis.values.length > VALUES_SHOWN) return html``;
  const { label, unit } = describeMetric(sort);
  const shown = (value: number | undefined) => (value === undefined ? "n/a" : formatHeat(unit, value));
  const rows = summariseAxis(axes, at, cells, sort).map(
    ({ text, cells: count, median, best, liquidated, failed }) =>
      html`<tr><th class="n">${text}</th><td class="n">${shown(median)}</td><td class="n">${shown(best)}</td><td class="n ${liquidated > 0 && "pain"}">${liquidated} of ${count}</td><td class="n">${failed > 0 && String(failed)}</td></tr>`,
  );
  return html`<div class="scroll"><table><caption>${axis.name}</caption><thead><tr><th class="n">Value</th><th class="n">Median ${label}</th><th class="n">Best</th><th class="n">Liquidated</th><th class="n">Failed</th></tr></thead><tbody>${rows}</tbody></table></div>`;
}

function renderAgain({ command, strategy, strategies, data, code }: Sweep): Markup {
  const facts = [
    ["strategy", strategy.hash],
    ...strategies.map(({ name, hash }) => [name, hash]),
    ["tape", data.hash],
    ["perplab's code", code],
    ...data.sources.map(({ file, sha256 }) => [file, sha256]),
  ];
  return html`<section id="run"><h2>Run again</h2>${renderCommand(command)}
<details><summary>Hashes</summary><table><tbody>${facts.map(([name, value]) => html`<tr><th>${name!}</th><td class="mono hash">${value!}</td></tr>`)}</tbody></table></details></section>`;
}

function show({ record, state }: SweepCell, id: MetricKey): string {
  if (state === "failed") return "";
  return toMinus(showMetric(record, id));
}

function formatMinute(timeMs: number): string {
  return formatTime(Math.floor(timeMs / 60_000) * 60_000);
}
