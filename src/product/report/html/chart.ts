import { html, type Markup } from "./markup.ts";
import { drawPlot, formatValue } from "./plot.ts";

/** One curve. `times` and `values` are equally long, in time order; null is no value. */
export interface ChartLine {
  readonly label: string;
  /**
   * Class that gives the colour: `equity`, `bench`, `mark`, `last`, `neutral`, `loss`, `warn`, `up`, `down`, `c1` to
   * `c8`.
   */
  readonly tone: string;
  readonly times: readonly number[];
  readonly values: readonly (number | null)[];
  /** `step` holds a value until the next; `area` also fills to zero. */
  readonly shape: "line" | "area" | "step" | "stepArea";
  /** Drawn dashed, and cut where it would flatten the other lines. */
  readonly isSoft?: boolean;
  /** A step whose last value holds until the end of the chart. */
  readonly isHeld?: boolean;
}

export interface ChartDots {
  readonly label: string;
  readonly tone: "buy" | "sell" | "liquidation";
  /** Time, price and size in base. */
  readonly points: readonly (readonly [timeMs: number, value: number, size: number])[];
}

export interface ChartBar {
  readonly fromMs: number;
  readonly toMs: number;
  readonly value: number;
}

/** Content of a chart. */
export interface Chart {
  readonly title: string;
  readonly note?: string;
  /** In pixels. */
  readonly height: number;
  readonly lines: readonly ChartLine[];
  readonly dots?: readonly ChartDots[];
  /** A running sum, drawn as bars of its increase in equal times. */
  readonly bins?: { readonly label: string; readonly times: readonly number[]; readonly sums: readonly number[] };
  /** A labelled horizontal line: a limit, such as a margin ratio of 100 %. */
  readonly threshold?: { readonly value: number; readonly label: string };
  /** Values that the scale must hold. */
  readonly include?: readonly number[];
  /** Nothing is drawn above it. */
  readonly ceiling?: number;
  /** Whether a logarithmic scale makes sense: values above zero. */
  readonly canLog?: boolean;
  /** Whether the scale is logarithmic at first. */
  readonly isLog?: boolean;
  /** Lowest value of a logarithmic scale; smaller ones are drawn at it. */
  readonly logFloor?: number;
  /** Appended to every value, e.g. " %"; values are in that unit. */
  readonly suffix: string;
  /** Digits after the point in the readout. */
  readonly digits: number;
}

/** The time range that all charts of a page share. */
export interface ChartFrame {
  readonly fromMs: number;
  readonly toMs: number;
  /** Liquidations: dashed lines through every chart. */
  readonly events: readonly number[];
}

/** Width of a chart as it is written; it stretches with the page, and the script draws it again at its true width. */
const WIDTH = 1_000;

/** Draws a chart that stretches with the page: curves in a stretched SVG, text in HTML above it. */
export function renderChart(chart: Chart, frame: ChartFrame, id: number): Markup {
  const { fromMs, toMs } = frame;
  const isLog = chart.isLog === true;
  const view = { fromMs, toMs, width: WIDTH, height: chart.height, isLog, grain: 2, band: null };
  const { svg, xAxis, yAxis, overlay, note } = drawPlot(chart, frame, view);
  return html`<figure class="chart" data-chart="${id}">
<figcaption><h3>${chart.title} <small>${note}</small></h3>
<ul class="legend">${chart.lines.map((line, i) => renderLegend(chart, line, i))}${(chart.dots ?? []).map((dots) => html`<li><i class="key dot ${dots.tone}"></i>${dots.label}</li>`)}</ul>${chart.canLog === true && html`<button type="button" class="log" aria-pressed="${String(isLog)}" hidden>log</button>`}</figcaption>
<div class="frame" style="height:${chart.height + 22}px"><div class="plot">
<svg viewBox="0 0 ${WIDTH} ${chart.height}" preserveAspectRatio="none" role="img" aria-label="${chart.title}">${svg}</svg>
<div class="overlay">${overlay}</div>
<div class="cross" hidden><span></span></div><div class="drag" hidden></div></div>
<div class="y-axis">${yAxis}</div>
<div class="x-axis">${xAxis}</div>
</div></figure>
`;
}

function renderLegend(chart: Chart, line: ChartLine, i: number): Markup {
  // A soft line ends where it has no value any more: a flat position has no liquidation price.
  const last = (line.isSoft === true ? line.values.at(-1) : line.values.findLast((value) => value !== null)) ?? null;
  const shown = last === null ? "n/a" : formatValue(last, chart.digits, chart.suffix);
  return html`<li><i class="key ${line.tone}"></i>${line.label} <output data-line="${i}">${shown}</output></li>`;
}
