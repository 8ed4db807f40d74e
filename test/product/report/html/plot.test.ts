import { describe, expect, test } from "vitest";
import type { Chart, ChartLine } from "../../../../src/product/report/html/chart.ts";
import { decodeCharts, encodeCharts } from "../../../../src/product/report/html/chartData.ts";
import { drawPlot, findRow, type PlotView } from "../../../../src/product/report/html/plot.ts";
import { computeLogScale } from "../../../../src/product/report/html/scale.ts";

const HOUR_MS = 3_600_000;
const times = Array.from({ length: 20_000 }, (_, i) => i * HOUR_MS);
/** A saw with one spike, which every drawing must keep. */
const values = times.map((_, i) => (i === 12_345 ? 900 : 100 + (i % 50)));
const line: ChartLine = { label: "Mark", tone: "mark", shape: "line", times, values };
const chart: Chart = { title: "Price", height: 200, suffix: "", digits: 2, lines: [line], canLog: true };
const frame = { fromMs: 0, toMs: times.at(-1)!, events: [5_000 * HOUR_MS] };
const view: PlotView = { ...frame, width: 1_000, height: 200, isLog: false, grain: 1, band: null };

const pathOf = (svg: string, name: string) => new RegExp(`class="${name}[^"]*" d="([^"]*)"`).exec(svg)?.[1] ?? "";
const pointsOf = (path: string) =>
  [...path.matchAll(/[ML](-?[\d.]+) (-?[\d.]+)/g)].map(([, x, y]) => [Number(x), Number(y)] as const);

describe("a curve", () => {
  test("is reduced to four points a pixel at most, and keeps its extremes", () => {
    const points = pointsOf(pathOf(drawPlot(chart, frame, view).svg.text, "line"));
    expect(points.length).toBeLessThanOrEqual(4_004);
    const highest = points.reduce((a, b) => (b[1] < a[1] ? b : a));
    expect(highest[0]).toBeCloseTo((12_345 / 19_999) * 1_000, 0);
    for (let i = 1; i < points.length; i++) expect(points[i]![0]).toBeGreaterThanOrEqual(points[i - 1]![0]);
  });

  test("has a scale of what the view shows, not of what is outside it", () => {
    const near = { ...view, fromMs: 0, toMs: 100 * HOUR_MS };
    const labels = [...drawPlot(chart, frame, near).yAxis.text.matchAll(/>(-?[\d,.]+)</g)].map(([, text]) =>
      Number(text),
    );
    expect(Math.max(...labels)).toBeLessThan(200);
  });

  test("is cut where there is no value, and where a logarithm has none", () => {
    const gaps = { ...chart, lines: [{ ...line, times: [0, 1, 2, 3, 4], values: [1, null, 3, 0, 5] }] };
    const small = { ...view, toMs: 4 };
    expect(pathOf(drawPlot(gaps, frame, small).svg.text, "line").match(/M/g)).toHaveLength(2);
    expect(pathOf(drawPlot(gaps, frame, { ...small, isLog: true }).svg.text, "line").match(/M/g)).toHaveLength(3);
  });

  test("of one value, or of one between gaps, is a dot", () => {
    const dots = { ...chart, lines: [{ ...line, times: [0, 1, 2], values: [1, null, 3] }] };
    expect(pathOf(drawPlot(dots, frame, { ...view, toMs: 4 }).svg.text, "line").match(/h0/g)).toHaveLength(2);
  });

  test("that is soft widens the scale only as far as the others stay readable", () => {
    const soft = (value: number): Chart => ({
      ...chart,
      lines: [
        { ...line, values: values.map(() => 100), times },
        { ...line, values: values.map((_, i) => 100 + (i % 2)), times },
        { ...line, label: "Liquidation price", isSoft: true, values: values.map(() => value), times },
      ],
    });
    const top = (value: number) => pointsOf(pathOf(drawPlot(soft(value), frame, view).svg.text, "line"))[0]![1];
    expect(top(100.5)).toBe(top(1e6));
    expect(top(99.5)).not.toBe(top(-1e6));
  });
});

describe("labels of values", () => {
  const labelsOf = (low: number, high: number, isLog = false) => {
    const one = { ...chart, lines: [{ ...line, times: [0, 1], values: [low, high] }] };
    return [...drawPlot(one, frame, { ...view, toMs: 1, isLog }).yAxis.text.matchAll(/>([^<]+)</g)].map(
      ([, text]) => text,
    );
  };

  test("of millions are in millions, with the digits that their steps have", () => {
    expect(labelsOf(-4_000_000, 12_000_000)).toEqual(["0", "5 M", "10 M"]);
    expect(labelsOf(1_000_000, 1_080_000)).toEqual(["1.00 M", "1.05 M"]);
    expect(labelsOf(0, 3e9)).toEqual(["0", "1 B", "2 B", "3 B"]);
  });

  test("are written out where that is as short, and below a million", () => {
    expect(labelsOf(1_000_000, 1_000_004)[0]).toBe("1,000,000");
    expect(labelsOf(0, 800_000)).toEqual(["0", "500,000"]);
    expect(labelsOf(1, 5_000_000, true)).toContain("1,000,000");
  });

  test("stay within the margin of a chart up to the largest amounts of a venue", () => {
    for (let most = 1; most < 1e10; most *= 7)
      for (const low of [0, -most, most / 2])
        for (const label of labelsOf(low, most)) expect(label!.length).toBeLessThanOrEqual(11);
  });
});

test("a thousand fills near each other share marks, and a view of few of them shows each", () => {
  const points = Array.from({ length: 1_000 }, (_, i) => [i * 10 * HOUR_MS, 100 + (i % 3), 1] as const);
  const filled = { ...chart, dots: [{ label: "Buy", tone: "buy" as const, points }] };
  const count = (shown: PlotView) => pathOf(drawPlot(filled, frame, shown).svg.text, "dots").match(/M/g)!.length;
  expect(count(view)).toBeLessThan(260);
  expect(count({ ...view, toMs: 500 * HOUR_MS })).toBe(51);
});

test("bars of a running sum have the length that the view can show, and its note names it", () => {
  const sums = times.map((_, i) => i);
  const funded: Chart = { ...chart, lines: [], note: "USD", bins: { label: "Funding", times, sums } };
  expect(drawPlot(funded, frame, view).note).toBe("USD per 7 d");
  expect(drawPlot(funded, frame, { ...view, toMs: 48 * HOUR_MS }).note).toBe("USD per 1 h");
});

test("events and the marked stretch are drawn where they are, and only in view", () => {
  expect(pathOf(drawPlot(chart, frame, view).svg.text, "event")).toBe("M250.0 0V200");
  expect(drawPlot(chart, frame, { ...view, toMs: HOUR_MS }).svg.text).not.toContain("event");
  const marked = drawPlot(chart, frame, { ...view, band: [0, frame.toMs / 2] }).svg.text;
  expect(pathOf(marked, "band")).toBe("M0.0 0H500.0V200H0.0Z");
});

test("charts survive their form on the page, with the digits that they show, and equal times are written once", () => {
  const second: Chart = {
    ...chart,
    digits: 4,
    lines: [{ ...line, times: [...times], values: values.map((value, i) => (i % 7 === 0 ? null : -value / 3)) }],
    dots: [{ label: "Buy", tone: "buy", points: [[7, 0.00012345, 3.5]] }],
    bins: { label: "Funding", times, sums: values.map((value) => value / 8) },
  };
  const encoded = encodeCharts([chart, second], frame);
  expect(encoded.times).toHaveLength(2);
  const { charts, frame: same } = decodeCharts(JSON.parse(JSON.stringify(encoded)));
  expect(same).toEqual(frame);
  expect(charts[0]).toEqual(chart);
  expect(charts[1]!.dots).toEqual(second.dots);
  for (const [i, value] of charts[1]!.lines[0]!.values.entries()) {
    const wanted = second.lines[0]!.values[i]!;
    if (wanted === null) expect(value).toBeNull();
    else expect(Math.abs(value! - wanted)).toBeLessThanOrEqual(0.00005001);
  }
});

test("a logarithmic scale holds its values and has round ticks", () => {
  for (const [low, high] of [
    [0.5, 130],
    [1, 1e9],
    [40_000, 70_000],
    [3e-5, 2e-4],
    [7, 7],
  ] as const) {
    const scale = computeLogScale(low, high, 4);
    expect(scale.low).toBeLessThanOrEqual(low);
    expect(scale.high).toBeGreaterThanOrEqual(high);
    expect(scale.ticks.length).toBeGreaterThanOrEqual(2);
    expect(scale.ticks.length).toBeLessThanOrEqual(10);
    for (const tick of scale.ticks) expect(tick >= scale.low && tick <= scale.high).toBe(true);
  }
});

test("the row that applies at a time is the last at or before it", () => {
  expect([-1, 0, 5, 10, 99].map((timeMs) => findRow([0, 5, 10], timeMs))).toEqual([-1, 0, 1, 2, 2]);
});
