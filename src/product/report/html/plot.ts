/**
 * Draws a chart's curves into an SVG, for the page as it is written and, in a reader's browser, for every view of it.
 * Nothing here knows a document: the same text comes out on both sides.
 */
import { formatNumber } from "../text/numbers.ts";
import { formatDuration } from "../text/times.ts";
import { computeBins } from "./bins.ts";
import type { Chart, ChartBar, ChartDots, ChartFrame, ChartLine } from "./chart.ts";
import { html, type Markup, toMinus } from "./markup.ts";
import { computeLogScale, computeScale, computeTimeTicks, type Scale } from "./scale.ts";

/** The part of a chart that is drawn, and its size. */
export interface PlotView {
  readonly fromMs: number;
  readonly toMs: number;
  /** Of the drawing, in its own units. */
  readonly width: number;
  readonly height: number;
  /** Whether equal ratios are equal distances; charts that cannot be are drawn linear. */
  readonly isLog: boolean;
  /** Width over which a curve is reduced to its first, least, greatest and last value. */
  readonly grain: number;
  /** A stretch of time that is marked. */
  readonly band: readonly [fromMs: number, toMs: number] | null;
}

/** A drawn chart in parts: the page puts each where it belongs. */
export interface Plot {
  readonly svg: Markup;
  readonly yAxis: Markup;
  readonly xAxis: Markup;
  readonly overlay: Markup;
  /** A description of the drawing; the length of bins depends on the view. */
  readonly note: string;
}

type Position = (value: number) => number;

/** Most bars of a running sum. */
const BINS_MAX = 120;

/** Draws `chart` as `view` asks. */
export function drawPlot(chart: Chart, frame: ChartFrame, view: PlotView): Plot {
  const { fromMs, toMs, width, height } = view;
  const bins = chart.bins === undefined ? null : computeBins(chart.bins.times, chart.bins.sums, fromMs, toMs, BINS_MAX);
  const isLog = view.isLog && chart.canLog === true;
  const scale = scaleOf(chart, bins?.bins ?? [], view, isLog);
  const x: Position = (timeMs) => ((timeMs - fromMs) / (toMs - fromMs || 1)) * width;
  const y: Position = isLog
    ? (value) => (Math.log(scale.high / Math.max(value, scale.low)) / Math.log(scale.high / scale.low)) * height
    : (value) => ((scale.high - value) / (scale.high - scale.low)) * height;
  const hasZero = !isLog && scale.low < 0 && scale.high > 0;
  const events = frame.events.filter((timeMs) => timeMs >= fromMs && timeMs <= toMs);
  const { threshold } = chart;
  const isThresholdIn = threshold !== undefined && threshold.value <= scale.high && threshold.value >= scale.low;
  const top = (value: number) => `top:${((y(value) / height) * 100).toFixed(2)}%`;
  const ticks = computeTimeTicks(fromMs, toMs, Math.max(3, Math.min(12, Math.round(width / 80))));
  const labels = formatTicks(scale, chart.suffix);
  const left = (timeMs: number) => `left:${((x(timeMs) / width) * 100).toFixed(2)}%`;
  const svg = html`${drawBand(view, x)}<path class="grid" d="${scale.ticks.map((tick) => `M0 ${y(tick).toFixed(1)}H${width}`).join("")}"/>
${hasZero && html`<path class="zero" d="M0 ${y(0).toFixed(1)}H${width}"/>`}
${events.length > 0 && html`<path class="event" d="${events.map((timeMs) => `M${x(timeMs).toFixed(1)} 0V${height}`).join("")}"/>`}
${isThresholdIn && html`<path class="threshold" d="M0 ${y(threshold.value).toFixed(1)}H${width}"/>`}
${bins !== null && drawBars(bins.bins, x, y)}
${chart.lines.map((line) => drawLine(line, { chart, view, x, y, low: scale.low, isLog }))}
${(chart.dots ?? []).map((dots) => drawDots(dots, view, x, y))}`;
  return {
    svg,
    yAxis: html`${scale.ticks.map((tick, i) => html`<span class="y" style="${top(tick)}">${labels[i]!}</span>`)}`,
    xAxis: html`${ticks.map((tick, i) => html`<span class="x${i % 2 === 1 ? " odd" : ""}${edgeOf(x(tick.timeMs), width)}" style="${left(tick.timeMs)}">${tick.label}</span>`)}`,
    overlay: html`${isThresholdIn && html`<span class="tag" style="${top(threshold.value)}">${threshold.label}</span>`}`,
    note: bins === null ? (chart.note ?? "") : `${chart.note ?? ""} per ${formatDuration(bins.stepMs)}`,
  };
}

const UNITS = [
  [1e9, " B"],
  [1e6, " M"],
] as const;

/** Labels of a scale. The margin of a chart is narrow: millions have a unit, "1.25 M", where that is shorter. */
function formatTicks({ ticks, digits }: Scale, suffix: string): string[] {
  const plain = ticks.map((tick) => formatValue(tick, digits, suffix));
  const most = Math.max(0, ...ticks.map(Math.abs));
  const unit = UNITS.find(([size]) => most >= size);
  if (unit === undefined) return plain;
  const [size, name] = unit;
  const step = Math.min(most, ...ticks.slice(1).map((tick, i) => tick - ticks[i]!));
  const kept = Math.max(0, Math.ceil(Math.log10(size / step) - 1e-9));
  const short = ticks.map((tick) => (tick === 0 ? `0${suffix}` : formatValue(tick / size, kept, name + suffix)));
  const longest = (texts: readonly string[]) => Math.max(...texts.map(({ length }) => length));
  return longest(short) < longest(plain) ? short : plain;
}

/** A value as axis, legend and readout write it. */
export function formatValue(value: number, digits: number, suffix: string): string {
  return toMinus(formatNumber(value, digits)) + suffix;
}

/** The row that holds at a time: the last at or before it; -1 before the first. */
export function findRow(times: readonly number[], timeMs: number): number {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[middle]! <= timeMs) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Labels near an end of the axis stay inside it. */
function edgeOf(x: number, width: number): string {
  return x < 26 ? " edge" : x > width - 26 ? " end" : "";
}

/** Scale of the view: every value in it, and the value at its start. */
function scaleOf(chart: Chart, bars: readonly ChartBar[], view: PlotView, isLog: boolean): Scale {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  const hold = (value: number | null | undefined) => {
    if (value === null || value === undefined || (isLog && value <= 0)) return;
    const kept = chart.ceiling === undefined ? value : Math.min(value, chart.ceiling);
    if (kept < low) low = kept;
    if (kept > high) high = kept;
  };
  for (const line of chart.lines) if (line.isSoft !== true) holdLine(line, view, hold);
  for (const bar of bars) hold(bar.value);
  for (const { points } of chart.dots ?? [])
    for (const [timeMs, value] of points) if (timeMs >= view.fromMs && timeMs <= view.toMs) hold(value);
  for (const value of chart.include ?? []) hold(value);
  if (isLog && chart.logFloor !== undefined) low = Math.max(Math.min(low, high), chart.logFloor);
  if (low <= high) [low, high] = stretchForSoft(chart, view, low, high);
  const wanted = Math.max(2, Math.round(view.height / 48));
  return isLog ? computeLogScale(low, Math.max(high, low), wanted) : computeScale(low, high, wanted);
}

function holdLine(line: ChartLine, { fromMs, toMs }: PlotView, hold: (value: number | null | undefined) => void): void {
  const first = Math.max(0, findRow(line.times, fromMs));
  for (let row = first; row < line.times.length && line.times[row]! <= toMs; row++) hold(line.values[row]);
}

/** Share of the range by which a soft line may widen it. */
const SOFT_MOST = 0.6;

/** A soft line widens the range as far as it is readable; beyond that it is cut. */
function stretchForSoft(chart: Chart, view: PlotView, low: number, high: number): [low: number, high: number] {
  const room = Math.max(high - low, Math.abs(high) * 0.01) * SOFT_MOST;
  let [least, greatest] = [low, high];
  for (const line of chart.lines) {
    if (line.isSoft !== true) continue;
    holdLine(line, view, (value) => {
      if (value === null || value === undefined) return;
      if (value < least && value >= low - room) least = value;
      if (value > greatest && value <= high + room) greatest = value;
    });
  }
  return [least, greatest];
}

function drawBand({ band, height }: PlotView, x: Position): Markup | false {
  if (band === null) return false;
  const from = x(band[0]);
  const to = Math.max(x(band[1]), from + 2);
  return html`<path class="band" d="M${from.toFixed(1)} 0H${to.toFixed(1)}V${height}H${from.toFixed(1)}Z"/>`;
}

interface LineView {
  readonly chart: Chart;
  readonly view: PlotView;
  readonly x: Position;
  readonly y: Position;
  readonly low: number;
  readonly isLog: boolean;
}

/** Runs of values become paths. Of what falls into one grain the first, least, greatest and last value are drawn. */
function drawLine(line: ChartLine, { chart, view, x, y, low, isLog }: LineView): Markup {
  const isStep = line.shape === "step" || line.shape === "stepArea";
  const isFilled = line.shape === "area" || line.shape === "stepArea";
  const base = Math.min(view.height, Math.max(0, isLog ? view.height : y(0))).toFixed(1);
  const first = Math.max(0, findRow(line.times, view.fromMs));
  let stroke = "";
  let fill = "";
  let run: number[] = [];
  const close = () => {
    if (run.length > 0) {
      const path = tracePath(thin(run, view.grain), isStep);
      stroke += path;
      if (isFilled) fill += `${path}V${base}H${run[0]!.toFixed(1)}Z`;
    }
    run = [];
  };
  for (let row = first; row < line.times.length; row++) {
    const value = line.values[row] ?? null;
    const timeMs = line.times[row]!;
    if (value === null || (isLog && chart.logFloor === undefined && value <= 0)) close();
    else {
      const shown = chart.ceiling === undefined ? value : Math.min(value, chart.ceiling);
      run.push(x(timeMs), y(isLog ? Math.max(shown, low) : shown));
    }
    if (timeMs > view.toMs) break;
  }
  // A step holds until the end of the view.
  if (isStep && run.length > 0 && run.at(-2)! < view.width && line.times.at(-1)! <= view.toMs && line.isHeld === true)
    run.push(view.width, run.at(-1)!);
  close();
  const dashed = line.isSoft === true ? " dashed" : "";
  return html`${isFilled && html`<path class="fill ${line.tone}" d="${fill}"/>`}<path class="line ${line.tone}${dashed}" d="${stroke}"/>`;
}

/** Points as x, y, x, y, …; at most four of each grain, in their order. */
function thin(points: readonly number[], grain: number): number[] {
  const kept: number[] = [];
  let at = 0;
  while (at < points.length) {
    const column = Math.floor(points[at]! / grain);
    let [least, greatest, last] = [at, at, at];
    let next = at;
    for (; next < points.length && Math.floor(points[next]! / grain) === column; next += 2) {
      if (points[next + 1]! < points[least + 1]!) least = next;
      if (points[next + 1]! > points[greatest + 1]!) greatest = next;
      last = next;
    }
    let before = -1;
    for (const row of [at, Math.min(least, greatest), Math.max(least, greatest), last]) {
      if (row === before) continue;
      kept.push(points[row]!, points[row + 1]!);
      before = row;
    }
    at = next;
  }
  return kept;
}

function tracePath(points: readonly number[], isStep: boolean): string {
  let path = "";
  let [px, py] = ["", ""];
  for (let i = 0; i < points.length; i += 2) {
    const cx = points[i]!.toFixed(1);
    const cy = points[i + 1]!.toFixed(1);
    if (i === 0) path += `M${cx} ${cy}`;
    else if (isStep) {
      if (cy === py && i < points.length - 2) continue;
      path += `${cx === px ? "" : `H${cx}`}${cy === py ? "" : `V${cy}`}`;
    } else {
      if (cx === px && cy === py) continue;
      path += `L${cx} ${cy}`;
    }
    px = cx;
    py = cy;
  }
  // A stroke of no length is a dot: its ends are round.
  return points.length === 2 ? `${path}h0` : path;
}

function drawBars(bars: readonly ChartBar[], x: Position, y: Position): Markup {
  const base = y(0).toFixed(1);
  const path = (sign: number) =>
    bars
      .filter((bar) => Math.sign(bar.value) === sign)
      .map((bar) => {
        const gap = (x(bar.toMs) - x(bar.fromMs)) * 0.12;
        const [a, b] = [(x(bar.fromMs) + gap).toFixed(1), (x(bar.toMs) - gap).toFixed(1)];
        return `M${a} ${base}V${y(bar.value).toFixed(1)}H${b}V${base}Z`;
      })
      .join("");
  return html`<path class="bars up" d="${path(1)}"/><path class="bars down" d="${path(-1)}"/>`;
}

/** Side of the squares in which fills of a kind share one mark. */
const CLUSTER = 9;

/**
 * Marks for events at a price. A buy points up from below its price, a sell points down from above it, so the curve
 * stays visible between them. Those that would cover each other share one larger mark.
 */
function drawDots(dots: ChartDots, view: PlotView, x: Position, y: Position): Markup {
  const clusters = new Map<string, { x: number; y: number; count: number }>();
  for (const [timeMs, value] of dots.points) {
    if (timeMs < view.fromMs || timeMs > view.toMs) continue;
    const [cx, cy] = [x(timeMs), y(value)];
    const place = `${Math.floor(cx / CLUSTER)}:${Math.floor(cy / CLUSTER)}`;
    const cluster = clusters.get(place);
    if (cluster === undefined) clusters.set(place, { x: cx, y: cy, count: 1 });
    else {
      cluster.x += cx;
      cluster.y += cy;
      cluster.count++;
    }
  }
  const isCrowded = clusters.size > 150;
  const path = [...clusters.values()].map(({ x: sumX, y: sumY, count }) => {
    const size = (isCrowded ? 2.6 : 3.6) + Math.min(2.4, Math.log2(count) * 0.6);
    return markPath(dots.tone, sumX / count, sumY / count, size);
  });
  return html`<path class="dots ${dots.tone}${isCrowded ? " many" : ""}" d="${path.join("")}"/>`;
}

function markPath(tone: ChartDots["tone"], x: number, y: number, size: number): string {
  const s = size.toFixed(1);
  const wide = (size * 2).toFixed(1);
  if (tone === "liquidation") {
    const r = (size * 1.6).toFixed(1);
    return `M${x.toFixed(1)} ${(y - size * 1.6).toFixed(1)}l${r} ${r}l-${r} ${r}l-${r} -${r}Z`;
  }
  const down = tone === "sell";
  const tip = down ? y - 1.5 : y + 1.5;
  const depth = (size * 1.7).toFixed(1);
  return `M${x.toFixed(1)} ${tip.toFixed(1)}l${s} ${down ? "-" : ""}${depth}h-${wide}Z`;
}
