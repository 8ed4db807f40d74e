/** Charts as the page carries them for its script: whole numbers, as differences between neighbours. */
import type { Chart, ChartDots, ChartFrame, ChartLine } from "./chart.ts";

/** Times as a start, the milliseconds of a step, and differences in steps. */
type TimeColumn = readonly [fromMs: number, stepMs: number, ...differences: number[]];

interface LineData extends Omit<ChartLine, "times" | "values"> {
  /** Row in `ChartsData.times`. */
  readonly t: number;
  /** Values as whole numbers of the last digit, as differences from the last number; null is no value. */
  readonly v: readonly (number | null)[];
}

interface ChartData extends Omit<Chart, "lines" | "dots" | "bins"> {
  readonly lines: readonly LineData[];
  readonly dots?: readonly (Omit<ChartDots, "points"> & {
    readonly t: number;
    readonly v: readonly number[];
    readonly s: readonly number[];
  })[];
  readonly bins?: { readonly label: string; readonly t: number; readonly v: readonly (number | null)[] };
}

/** All charts of a page. */
export interface ChartsData {
  readonly frame: ChartFrame;
  readonly times: readonly TimeColumn[];
  readonly charts: readonly ChartData[];
}

/** Digits of prices and sizes in marks of fills. */
const DOT_DIGITS = 8;

/** Values keep as many digits as their chart shows. Columns of equal times are written once. */
export function encodeCharts(charts: readonly Chart[], frame: ChartFrame): ChartsData {
  const times: TimeColumn[] = [];
  const rows = new Map<string, number>();
  const known = new Map<readonly number[], number>();
  const place = (column: readonly number[]): number => {
    const seen = known.get(column);
    if (seen !== undefined) return seen;
    const encoded = encodeTimes(column);
    const key = encoded.join();
    let row = rows.get(key);
    if (row === undefined) {
      row = times.push(encoded) - 1;
      rows.set(key, row);
    }
    known.set(column, row);
    return row;
  };
  const encoded = charts.map(({ lines, dots, bins, ...chart }) => ({
    ...chart,
    lines: lines.map(({ times: column, values, ...line }) => ({
      ...line,
      t: place(column),
      v: encodeValues(values, chart.digits),
    })),
    ...(dots === undefined
      ? {}
      : {
          dots: dots.map(({ points, ...rest }) => ({
            ...rest,
            t: place(points.map(([timeMs]) => timeMs)),
            v: points.map(([, value]) => Number(value.toFixed(DOT_DIGITS))),
            s: points.map(([, , size]) => Number(size.toFixed(DOT_DIGITS))),
          })),
        }),
    ...(bins === undefined
      ? {}
      : { bins: { label: bins.label, t: place(bins.times), v: encodeValues(bins.sums, chart.digits + 2) } }),
  }));
  return { frame, times, charts: encoded };
}

/** The inverse of `encodeCharts`, but for digits that a chart does not show. */
export function decodeCharts(data: ChartsData): { readonly charts: Chart[]; readonly frame: ChartFrame } {
  const times = data.times.map(decodeTimes);
  const charts = data.charts.map(({ lines, dots, bins, ...chart }) => ({
    ...chart,
    lines: lines.map(({ t, v, ...line }) => ({ ...line, times: times[t]!, values: decodeValues(v, chart.digits) })),
    ...(dots === undefined
      ? {}
      : {
          dots: dots.map(({ t, v, s, ...rest }) => ({
            ...rest,
            points: v.map((value, i) => [times[t]![i]!, value, s[i]!] as const),
          })),
        }),
    ...(bins === undefined
      ? {}
      : {
          bins: {
            label: bins.label,
            times: times[bins.t]!,
            sums: decodeValues(bins.v, chart.digits + 2).map((sum) => sum ?? 0),
          },
        }),
  }));
  return { charts, frame: data.frame };
}

function encodeTimes(times: readonly number[]): TimeColumn {
  const stepMs = [3_600_000, 60_000, 1_000].find((step) => times.every((time) => (time - times[0]!) % step === 0)) ?? 1;
  return [times[0] ?? 0, stepMs, ...times.map((time, i) => (i === 0 ? 0 : (time - times[i - 1]!) / stepMs))];
}

function decodeTimes([fromMs, stepMs, ...differences]: TimeColumn): number[] {
  let time = fromMs;
  return differences.map((difference) => (time += difference * stepMs));
}

function encodeValues(values: readonly (number | null)[], digits: number): (number | null)[] {
  const scale = 10 ** digits;
  let before = 0;
  return values.map((value) => {
    if (value === null) return null;
    const whole = Math.round(Number(value.toFixed(digits)) * scale);
    const difference = whole - before;
    before = whole;
    return difference;
  });
}

function decodeValues(values: readonly (number | null)[], digits: number): (number | null)[] {
  const scale = 10 ** digits;
  let whole = 0;
  return values.map((difference) => (difference === null ? null : (whole += difference) / scale));
}
