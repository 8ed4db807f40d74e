import { formatNumber } from "../text/numbers.ts";
import { html, type Markup, toMinus } from "./markup.ts";
import { computeScale, computeTimeTicks, type Scale } from "./scale.ts";

/** One curve. `times` and `values` are equally long, in time order; null is no value. */
export interface ChartLine {
  readonly label: string;
  /** Class that gives the colour: `equity`, `bench`, `mark`, `last`, `neutral`, `loss`, `warn`, `up`, `down`. */
  readonly tone: string;
  readonly times: readonly number[];
  readonly values: readonly (number | null)[];
  /** `step` holds a value until the next; `area` also fills to zero. */
  readonly shape: "line" | "area" | "step" | "stepArea";
}

export interface ChartDots {
  readonly label: string;
  readonly tone: "buy" | "sell" | "liquidation";
  readonly points: readonly (readonly [timeMs: number, value: number])[];
}

export interface ChartBar {
  readonly fromMs: number;
  readonly toMs: number;
  readonly value: number;
}

/** What a chart shows. */
export interface Chart {
  readonly title: string;
  readonly note?: string;
  readonly height: number;
  readonly lines: readonly ChartLine[];
  readonly dots?: readonly ChartDots[];
  readonly bars?: readonly ChartBar[];
  /** A horizontal line that means something. */
  readonly threshold?: { readonly value: number; readonly label: string };
  /** Values that the scale must hold. */
  readonly include?: readonly number[];
  /** Nothing is drawn above it. */
  readonly ceiling?: number;
  /** Appended to every value, e.g. " %"; values are in that unit. */
  readonly suffix: string;
  /** Digits after the point in the readout. */
  readonly digits: number;
}

export interface ChartFrame {
  readonly fromMs: number;
  readonly toMs: number;
  /** Liquidations: dashed lines through every chart. */
  readonly events: readonly number[];
}

/** Data for the readout under the pointer, in the order of the charts' lines. */
export interface ChartData {
  readonly from: number;
  /** Milliseconds per unit of `times`. */
  readonly unit: number;
  /** Differences between neighbours. */
  readonly times: readonly number[];
  readonly values: readonly (number | null)[];
  readonly digits: number;
  readonly suffix: string;
}

/** Above this many dots of a kind they are drawn small. */
const DOTS_LARGE = 250;
const WIDTH = 1_000;
const HEIGHT = 100;

/** Draws a chart that stretches with the page: curves in a stretched SVG, text in HTML above it. */
export function renderChart(chart: Chart, frame: ChartFrame, id: number): Markup {
  const scale = scaleOf(chart);
  const x = (timeMs: number) => ((timeMs - frame.fromMs) / (frame.toMs - frame.fromMs || 1)) * WIDTH;
  const y = (value: number) => ((scale.high - value) / (scale.high - scale.low)) * HEIGHT;
  const top = (value: number) => `top:${y(value).toFixed(2)}%`;
  const left = (timeMs: number) => `left:${(x(timeMs) / 10).toFixed(2)}%`;
  const ticks = computeTimeTicks(frame.fromMs, frame.toMs, 10);
  const zero = scale.low < 0 && scale.high > 0;
  return html`<figure class="chart" data-chart="${id}">
<figcaption><h3>${chart.title}${chart.note === undefined ? null : html` <small>${chart.note}</small>`}</h3>
<ul class="legend">${chart.lines.map((line, i) => renderLegend(chart, line, i))}${(chart.dots ?? []).map((dots) => html`<li><i class="key dot ${dots.tone}"></i>${dots.label}</li>`)}</ul></figcaption>
<div class="frame" style="height:${chart.height}px"><div class="plot">
<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label="${chart.title}">
<path class="grid" d="${scale.ticks.map((tick) => `M0 ${y(tick).toFixed(2)}H${WIDTH}`).join("")}"/>
${zero && html`<path class="zero" d="M0 ${y(0).toFixed(2)}H${WIDTH}"/>`}
${frame.events.length > 0 && html`<path class="event" d="${frame.events.map((timeMs) => `M${x(timeMs).toFixed(1)} 0V${HEIGHT}`).join("")}"/>`}
${chart.threshold !== undefined && html`<path class="threshold" d="M0 ${y(chart.threshold.value).toFixed(2)}H${WIDTH}"/>`}
${chart.bars !== undefined && renderBars(chart.bars, x, y)}
${chart.lines.map((line) => renderLine(line, chart.ceiling, x, y))}
${(chart.dots ?? []).map((dots) => html`<path class="dots ${dots.tone}${dots.points.length > DOTS_LARGE ? " many" : ""}" d="${dotPath(dots, x, y)}"/>`)}
</svg>
${chart.threshold !== undefined && html`<span class="tag" style="${top(chart.threshold.value)}">${chart.threshold.label}</span>`}
<div class="cross" hidden><span></span></div></div>
<div class="y-axis">${scale.ticks.map((tick) => html`<span class="y" style="${top(tick)}">${formatValue(tick, scale.digits, chart.suffix)}</span>`)}</div>
<div class="x-axis">${ticks.map((tick, i) => html`<span class="x${i % 2 === 1 ? " odd" : ""}${x(tick.timeMs) < 25 ? " edge" : ""}" style="${left(tick.timeMs)}">${tick.label}</span>`)}</div>
</div></figure>
`;
}

/** As the script under the page writes it too. */
function formatValue(value: number, digits: number, suffix: string): string {
  return toMinus(formatNumber(value, digits)) + suffix;
}

function renderLegend(chart: Chart, line: ChartLine, i: number): Markup {
  const last = line.values.findLast((value) => value !== null) ?? null;
  const shown = last === null ? "n/a" : formatValue(last, chart.digits, chart.suffix);
  return html`<li><i class="key ${line.tone}"></i>${line.label} <output data-line="${i}">${shown}</output></li>`;
}

function scaleOf({ lines, bars, dots, include, ceiling, height, threshold }: Chart): Scale {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  const hold = (value: number | null) => {
    if (value === null) return;
    const kept = ceiling === undefined ? value : Math.min(value, ceiling);
    if (kept < low) low = kept;
    if (kept > high) high = kept;
  };
  for (const line of lines) for (const value of line.values) hold(value);
  for (const bar of bars ?? []) hold(bar.value);
  for (const { points } of dots ?? []) for (const [, value] of points) hold(value);
  for (const value of include ?? []) hold(value);
  if (threshold !== undefined) hold(threshold.value);
  return computeScale(low, high, Math.max(3, Math.round(height / 50)));
}

type Position = (value: number) => number;

/** Runs of values become paths. Points that fall on the same tenth of a unit as their neighbours are left out. */
function renderLine(line: ChartLine, ceiling: number | undefined, x: Position, y: Position): Markup {
  const stepped = line.shape === "step" || line.shape === "stepArea";
  const filled = line.shape === "area" || line.shape === "stepArea";
  const base = Math.min(HEIGHT, Math.max(0, y(0))).toFixed(2);
  let stroke = "";
  let fill = "";
  let run = "";
  let start = "";
  let px = "";
  let py = "";
  const close = () => {
    if (run !== "") {
      stroke += run;
      if (filled) fill += `${run}V${base}H${start}Z`;
    }
    run = "";
  };
  for (let i = 0; i < line.times.length; i++) {
    const value = line.values[i] ?? null;
    if (value === null) {
      close();
      continue;
    }
    const cx = x(line.times[i]!).toFixed(1);
    const cy = y(ceiling === undefined ? value : Math.min(value, ceiling)).toFixed(2);
    if (run === "") {
      run = `M${cx} ${cy}`;
      start = cx;
    } else if (stepped) {
      if (cy === py && i < line.times.length - 1) continue;
      run += `H${cx}V${cy}`;
    } else {
      if (cx === px && cy === py) continue;
      run += `L${cx} ${cy}`;
    }
    px = cx;
    py = cy;
  }
  close();
  return html`${filled && html`<path class="fill ${line.tone}" d="${fill}"/>`}<path class="line ${line.tone}" d="${stroke}"/>`;
}

function renderBars(bars: readonly ChartBar[], x: Position, y: Position): Markup {
  const base = y(0).toFixed(2);
  const path = (sign: number) =>
    bars
      .filter((bar) => Math.sign(bar.value) === sign)
      .map((bar) => {
        const gap = (x(bar.toMs) - x(bar.fromMs)) * 0.12;
        const [a, b] = [(x(bar.fromMs) + gap).toFixed(1), (x(bar.toMs) - gap).toFixed(1)];
        return `M${a} ${base}V${y(bar.value).toFixed(2)}H${b}V${base}Z`;
      })
      .join("");
  return html`<path class="bars up" d="${path(1)}"/><path class="bars down" d="${path(-1)}"/>`;
}

/** One dot for all that would lie on each other. */
function dotPath(dots: ChartDots, x: Position, y: Position): string {
  const places = new Set<string>();
  for (const [timeMs, value] of dots.points)
    places.add(`M${x(timeMs).toFixed(1)} ${(Math.round(y(value) * 2) / 2).toFixed(1)}h0`);
  return [...places].join("");
}

/** A curve's numbers for the readout, with times as differences. */
export function toChartData(line: ChartLine, { digits, suffix }: Chart): ChartData {
  const unit = line.times.every((time) => time % 1_000 === 0) ? 1_000 : 1;
  const from = line.times[0] ?? 0;
  return {
    from,
    unit,
    times: line.times.map((time, i) => (i === 0 ? 0 : (time - line.times[i - 1]!) / unit)),
    values: line.values.map((value) => (value === null ? null : Number(value.toFixed(digits)))),
    digits,
    suffix,
  };
}
