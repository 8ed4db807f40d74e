/**
 * A grid of results as a map: two axes across and down, a metric as colour. Drawn by the same code in the page and in
 * its script, which lets the reader choose axes, metric and the values of the other axes.
 */

import { formatCount } from "../../../ground/math/counts.ts";
import { formatNumber, formatPercent, formatUsd } from "../text/numbers.ts";
import { formatDuration } from "../text/times.ts";
import { html, type Markup, toMinus } from "./markup.ts";

export interface Heatmap {
  /** At least one, each with two values or more. */
  readonly axes: readonly HeatmapAxis[];
  readonly metrics: readonly HeatmapMetric[];
  readonly cells: readonly HeatmapCell[];
}

export interface HeatmapAxis {
  readonly name: string;
  readonly values: readonly string[];
}

export interface HeatmapMetric {
  readonly label: string;
  readonly unit: "fraction" | "ratio" | "usd" | "count" | "ms";
  readonly isLessBetter: boolean;
}

/** `liquidated` and `wipedOut` are red whatever their metrics are, `failed` and `idle` have no colour. */
export interface HeatmapCell {
  /** Place of its value on each axis. */
  readonly point: readonly number[];
  /** By metric; null without a value. */
  readonly values: readonly (number | null)[];
  readonly state: "traded" | "idle" | "liquidated" | "wipedOut" | "failed";
  /** Notes besides the metrics; empty for none. */
  readonly note: string;
  /** Report of the run, relative to the page; empty without one. */
  readonly link: string;
  /** The command that makes the report. */
  readonly command: string;
}

/**
 * The part of a map that is shown: `across`, `down` and `panels` are axes, with a map for each value of `panels`;
 * `fixed` has the place of the value of every other one.
 */
export interface HeatmapView {
  readonly metric: number;
  readonly across: number;
  /** Equal to `across` where there is one axis. */
  readonly down: number;
  /** -1 for one map. */
  readonly panels: number;
  readonly fixed: readonly number[];
}

/** Maps next to each other, at most. */
const PANELS_MOST = 8;

/** The first view: the two longest axes, a map for each value of the third, at the values of a cell. */
export function getFirstView({ axes }: Heatmap, at: readonly number[]): HeatmapView {
  const byLength = axes
    .map((_, place) => place)
    .sort((a, b) => axes[b]!.values.length - axes[a]!.values.length || a - b);
  const [across = 0, down = across, third = -1] = byLength;
  const panels = third >= 0 && axes[third]!.values.length <= PANELS_MOST ? third : -1;
  return { metric: 0, across, down, panels, fixed: axes.map((_, place) => at[place] ?? 0) };
}

/** A value of a metric as a reader sees it. */
export function formatHeat(unit: HeatmapMetric["unit"], value: number): string {
  switch (unit) {
    case "fraction":
      return toMinus(formatPercent(value, Math.abs(value) >= 1 ? 0 : 1));
    case "ratio":
      return toMinus(formatNumber(value, 2));
    case "usd":
      return toMinus(formatUsd(value.toFixed(2)).replace(/\.\d+$/, ""));
    case "ms":
      return formatDuration(value);
    case "count":
      return formatCount(value);
  }
}

const WORDS = {
  traded: "",
  idle: "no trade",
  liquidated: "liquidated",
  wipedOut: "wiped out",
  failed: "failed",
} as const;

/** The maps of a view. Shades are of the metric over all cells, from the worst to the best. */
export function renderMaps(map: Heatmap, view: HeatmapView): Markup {
  const axis = map.axes[view.panels];
  if (axis === undefined) return renderMap(map, view);
  return html`${axis.values.map((value, place) => html`<figure><figcaption>${axis.name} ${value}</figcaption>${renderMap(map, { ...view, fixed: view.fixed.with(view.panels, place) })}</figure>`)}`;
}

function renderMap(map: Heatmap, view: HeatmapView): Markup {
  const { axes, cells } = map;
  const metric = map.metrics[view.metric]!;
  const across = axes[view.across]!;
  const isFlat = view.down === view.across;
  const down = isFlat ? { name: "", values: [""] } : axes[view.down]!;
  const shade = createShade(map, view.metric);
  const places = new Map(cells.map(({ point }, place) => [point.join(), place]));
  const rows = down.values.map((name, row) => {
    const shown = across.values.map((_, column) => {
      const point = axes.map((_axis, at) => (at === view.across ? column : at === view.down ? row : view.fixed[at]!));
      const place = places.get(point.join());
      if (place === undefined) return html`<td class="hole" title="not run"></td>`;
      const cell = cells[place]!;
      const value = cell.values[view.metric];
      const text = cell.state === "failed" ? "failed" : value == null ? "n/a" : formatHeat(metric.unit, value);
      const title = describe(map, cell);
      const label =
        cell.link === ""
          ? html`<button type="button" data-cell="${place}" title="${title}">${text}</button>`
          : html`<a href="${cell.link}" data-cell="${place}" title="${title}">${text}</a>`;
      const style = cell.state === "traded" && value != null ? `--share:${shade(value).toFixed(3)}` : "";
      return html`<td class="${cell.state}" style="${style}">${label}</td>`;
    });
    return html`<tr>${!isFlat && html`<th scope="row">${name}</th>`}${shown}</tr>`;
  });
  const corner = isFlat ? null : html`<th>${down.name} \\ ${across.name}</th>`;
  return html`<table><thead><tr>${corner}${across.values.map((value) => html`<th scope="col">${isFlat && html`<small>${across.name}</small> `}${value}</th>`)}</tr></thead><tbody>${rows}</tbody></table>`;
}

/** Everything of a cell in words, one fact a line. */
export function describe({ axes, metrics }: Heatmap, { point, values, state, note }: HeatmapCell): string {
  const names = axes.map(({ name, values: texts }, at) => `${name} ${texts[point[at]!]}`);
  const figures = metrics.flatMap(({ label, unit }, at) => {
    const value = values[at];
    return value == null ? [] : [`${label} ${formatHeat(unit, value)}`];
  });
  const word = note === "" ? WORDS[state] : note;
  return [names.join(", "), ...(word === "" ? [] : [word]), ...figures].join("\n");
}

/** Strength of the colour, 0 for the worst and 1 for the best cell that was neither liquidated nor idle. */
function createShade({ cells, metrics }: Heatmap, at: number): (value: number) => number {
  let least = Number.POSITIVE_INFINITY;
  let greatest = Number.NEGATIVE_INFINITY;
  for (const { state, values } of cells) {
    const value = values[at];
    if (state !== "traded" || value == null) continue;
    least = Math.min(least, value);
    greatest = Math.max(greatest, value);
  }
  const { isLessBetter } = metrics[at]!;
  return (value) => {
    if (greatest === least) return 0.5;
    const share = (value - least) / (greatest - least);
    return isLessBetter ? 1 - share : share;
  };
}

/** The maps with their controls, which the script fills. */
export function renderHeatmap(map: Heatmap, view: HeatmapView): Markup {
  return html`<div class="heatmap"><div class="choices" hidden></div><div class="scroll map">${renderMaps(map, view)}</div>
<ul class="heat-key"><li><i class="low"></i><i class="high"></i> worst to best</li><li><i class="liquidated"></i> liquidated</li><li><i class="wipedOut"></i> wiped out</li><li><i class="idle"></i> never traded</li><li><i class="failed"></i> failed</li></ul>
<div class="box chosen-run" aria-live="polite" hidden><p></p><code></code><button type="button" data-do="copy" hidden>Copy</button></div></div>
`;
}
