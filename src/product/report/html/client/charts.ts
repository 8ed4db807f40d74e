import { formatTime } from "../../text/times.ts";
import type { Chart, ChartFrame } from "../chart.ts";
import { drawPlot, findRow, formatValue } from "../plot.ts";
import { focusView, panView, type Viewport, zoomView } from "../viewport.ts";
import type { ChartStack } from "./chartStack.ts";
import { startControls } from "./controls.ts";
import { startGestures } from "./gestures.ts";
import { isTyping } from "./theme.ts";

/** A chart of the page and the parts of it that change. */
interface ChartView {
  readonly chart: Chart;
  readonly figure: HTMLElement;
  readonly plot: HTMLElement;
  readonly svg: Element;
  readonly cross: HTMLElement;
  readonly outputs: readonly (Element | null)[];
  readonly rest: readonly string[];
  isLog: boolean;
}

/** Makes the charts interactive. Returns a function that shows a stretch of time in all of them. */
export function startCharts(charts: readonly Chart[], frame: ChartFrame): (fromMs: number, toMs: number) => void {
  const views = [...document.querySelectorAll<HTMLElement>("figure[data-chart]")].map((figure) =>
    openView(figure, charts),
  );
  if (views.length === 0) return () => {};
  const whole: Viewport = { fromMs: frame.fromMs, toMs: frame.toMs };
  let view = whole;
  let band: readonly [number, number] | null = null;
  let cursor: number | null = null;
  let isPlanned = false;
  const listeners: (() => void)[] = [];

  const draw = () => {
    isPlanned = false;
    for (const one of views) drawView(one, frame, view, band);
    for (const listener of listeners) listener();
    showCursor();
  };
  const plan = () => {
    if (!isPlanned) requestAnimationFrame(draw);
    isPlanned = true;
  };
  let active: HTMLElement | undefined;
  const showCursor = () => {
    for (const one of views) showValues(one, view, cursor, one.plot === active);
  };
  const stack: ChartStack = {
    whole,
    get view() {
      return view;
    },
    setView(next, nextBand) {
      view = next;
      if (nextBand !== undefined) band = nextBand;
      plan();
    },
    setCursor(timeMs, plot) {
      cursor = timeMs;
      active = plot ?? active ?? views[0]!.plot;
      showCursor();
    },
    onChange: (listener) => listeners.push(listener),
  };
  for (const one of views) {
    startGestures(one.plot, stack);
    one.figure.querySelector<HTMLElement>("button.log")?.addEventListener("click", () => {
      setLog(one, !one.isLog);
      plan();
    });
    one.figure.closest("details")?.addEventListener("toggle", plan);
  }
  const toggleLogs = () => {
    const able = views.filter(({ chart }) => chart.canLog === true);
    const isOn = able.some(({ isLog }) => !isLog);
    for (const one of able) setLog(one, isOn);
    plan();
  };
  startKeys(stack, toggleLogs);
  for (const element of document.querySelectorAll<HTMLElement>(".controls")) startControls(element, stack);
  addEventListener("resize", plan);
  draw();
  return (fromMs, toMs) => {
    stack.setView(focusView(whole, fromMs, toMs), [fromMs, toMs]);
    const behavior = matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth";
    document.querySelector(".stack")?.scrollIntoView({ behavior, block: "start" });
  };
}

function openView(figure: HTMLElement, charts: readonly Chart[]): ChartView {
  const chart = charts[Number(figure.dataset["chart"])]!;
  const outputs = chart.lines.map((_, i) => figure.querySelector(`output[data-line="${i}"]`));
  const log = figure.querySelector<HTMLElement>("button.log");
  if (log !== null) log.hidden = false;
  return {
    chart,
    figure,
    plot: figure.querySelector<HTMLElement>(".plot")!,
    svg: figure.querySelector("svg")!,
    cross: figure.querySelector<HTMLElement>(".cross")!,
    outputs,
    rest: outputs.map((output) => output?.textContent ?? ""),
    isLog: chart.isLog === true,
  };
}

function setLog(one: ChartView, isLog: boolean): void {
  one.isLog = isLog;
  one.figure.querySelector("button.log")?.setAttribute("aria-pressed", String(isLog));
}

function drawView(
  one: ChartView,
  frame: ChartFrame,
  { fromMs, toMs }: Viewport,
  band: readonly [number, number] | null,
): void {
  const width = Math.round(one.plot.clientWidth);
  if (width === 0) return;
  const { chart, figure, svg, isLog } = one;
  const { height } = chart;
  const drawn = drawPlot(chart, frame, { fromMs, toMs, width, height, isLog, grain: 1, band });
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  svg.innerHTML = drawn.svg.text;
  figure.querySelector(".overlay")!.innerHTML = drawn.overlay.text;
  figure.querySelector(".x-axis")!.innerHTML = drawn.xAxis.text;
  figure.querySelector(".y-axis")!.innerHTML = drawn.yAxis.text;
  figure.querySelector("h3 small")!.textContent = drawn.note;
}

/** Marks within this many pixels of the crosshair are listed. */
const NEAR = 5;
const LISTED_MOST = 4;

function showValues(one: ChartView, view: Viewport, timeMs: number | null, isActive: boolean): void {
  const { chart, cross, outputs, rest, plot } = one;
  const isIn = timeMs !== null && timeMs >= view.fromMs && timeMs <= view.toMs;
  cross.hidden = !isIn;
  for (const [i, line] of chart.lines.entries()) {
    const output = outputs[i];
    if (!output) continue;
    if (timeMs === null) output.textContent = rest[i]!;
    else {
      const value = line.values[findRow(line.times, timeMs)] ?? null;
      output.textContent = value === null ? "n/a" : formatValue(value, chart.digits, chart.suffix);
    }
  }
  if (!isIn) return;
  const share = (timeMs - view.fromMs) / (view.toMs - view.fromMs || 1);
  cross.style.left = `${share * 100}%`;
  cross.classList.toggle("right", share > 0.5);
  const near = isActive ? listNear(chart, timeMs, ((view.toMs - view.fromMs) / (plot.clientWidth || 1)) * NEAR) : [];
  cross.firstElementChild!.textContent = isActive
    ? [formatTime(Math.round(timeMs / 1_000) * 1_000), ...near].join("\n")
    : "";
}

function listNear(chart: Chart, timeMs: number, withinMs: number): string[] {
  const near: string[] = [];
  for (const { label, points } of chart.dots ?? [])
    for (const [at, price, size] of points)
      if (Math.abs(at - timeMs) <= withinMs)
        near.push(
          `${label} ${formatValue(size, 8, "").replace(/\.?0+$/, "")} at ${formatValue(price, chart.digits, "")}`,
        );
  return near.length <= LISTED_MOST ? near : [...near.slice(0, LISTED_MOST), `and ${near.length - LISTED_MOST} more`];
}

function startKeys(stack: ChartStack, toggleLogs: () => void): void {
  let at: number | null = null;
  const move = (share: number) => {
    const { fromMs, toMs } = stack.view;
    const from = at !== null && at >= fromMs && at <= toMs ? at : (fromMs + toMs) / 2;
    at = Math.min(toMs, Math.max(fromMs, from + (toMs - fromMs) * share));
    stack.setCursor(at);
  };
  const zoom = (factor: number) => {
    const { fromMs, toMs } = stack.view;
    const around = at !== null && at >= fromMs && at <= toMs ? at : (fromMs + toMs) / 2;
    stack.setView(zoomView(stack.whole, stack.view, around, factor));
  };
  const keys: Readonly<Record<string, (isShifted: boolean) => void>> = {
    ArrowLeft: (isShifted) => (isShifted ? stack.setView(panView(stack.whole, stack.view, -0.2)) : move(-0.01)),
    ArrowRight: (isShifted) => (isShifted ? stack.setView(panView(stack.whole, stack.view, 0.2)) : move(0.01)),
    "+": () => zoom(0.5),
    "=": () => zoom(0.5),
    "-": () => zoom(2),
    0: () => stack.setView(stack.whole, null),
    Escape: () => {
      at = null;
      stack.setCursor(null);
    },
    l: toggleLogs,
  };
  document.addEventListener("keydown", (event) => {
    const act = keys[event.key];
    // Rows of a table and other controls keep their own keys.
    if (act === undefined || isTyping(event)) return;
    if (event.target instanceof Element && event.target.closest(".scroll") !== null && event.key.startsWith("Arrow"))
      return;
    event.preventDefault();
    act(event.shiftKey);
  });
}
