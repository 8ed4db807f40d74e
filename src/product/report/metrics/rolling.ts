import { computeDailyReturns, computeSharpe } from "./dailyReturns.ts";

/** Equity at a midnight UTC, in any one unit. */
export interface DailyEquity {
  readonly timeMs: number;
  readonly equity: number;
}

/** Statistics of the `window` days that end at a midnight. */
export interface RollingPoint {
  readonly timeMs: number;
  /** As the metric of the same name; null where the returns do not vary or are fewer than it needs. */
  readonly sharpe: number | null;
  /** Greatest fall from a midnight to a later one in the window, relative to the earlier. */
  readonly drawdown: number;
}

/** Rolling statistics from every midnight that has `window` full days before it. Equity must be positive. */
export function computeRolling(days: readonly DailyEquity[], window: number): RollingPoint[] {
  const equity = days.map((day) => day.equity);
  const returns = computeDailyReturns(equity);
  const points: RollingPoint[] = [];
  for (let end = window; end < days.length; end++) {
    const sharpe = computeSharpe(returns.slice(end - window, end));
    let peak = 0;
    let drawdown = 0;
    for (let day = end - window; day <= end; day++) {
      peak = Math.max(peak, equity[day]!);
      drawdown = Math.max(drawdown, (peak - equity[day]!) / peak);
    }
    points.push({ timeMs: days[end]!.timeMs, sharpe: "value" in sharpe ? sharpe.value : null, drawdown });
  }
  return points;
}

/** A calendar month UTC and what equity gained in it, relative to its beginning; null if it began at zero or below. */
export interface MonthReturn {
  /** For example "2024-03". */
  readonly month: string;
  readonly value: number | null;
}

/**
 * Returns by month, the first and the last as far as the run went. `days` are midnights; `end` is the end of the run.
 */
export function computeMonthReturns(start: DailyEquity, days: readonly DailyEquity[], end: DailyEquity): MonthReturn[] {
  const ends = new Map<string, number>();
  // A midnight at the first of a month is the end of the month before.
  for (const { timeMs, equity } of [...days, end])
    if (timeMs > start.timeMs && timeMs <= end.timeMs) ends.set(new Date(timeMs - 1).toISOString().slice(0, 7), equity);
  let before = start.equity;
  return [...ends].map(([month, equity]) => {
    const value = before > 0 ? equity / before - 1 : null;
    before = equity;
    return { month, value };
  });
}

/** One bar of a distribution: values from `from` to below `to`. */
export interface DistributionBar {
  readonly from: number;
  readonly to: number;
  readonly count: number;
}

const BARS_WANTED = 40;

/** How often values fall between neighbouring multiples of a round step; zero is always a border. */
export function computeDistribution(values: readonly number[]): DistributionBar[] {
  if (values.length === 0) return [];
  const low = Math.min(...values);
  const high = Math.max(...values);
  const rough = Math.max(high - low, 1e-6) / BARS_WANTED;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 5].find((factor) => factor * power >= rough) ?? 10) * power;
  const first = Math.floor(low / step);
  const bars = Array.from({ length: Math.floor(high / step) - first + 1 }, (_, i) => ({
    from: (first + i) * step,
    to: (first + i + 1) * step,
    count: 0,
  }));
  for (const value of values) bars[Math.floor(value / step) - first]!.count++;
  return bars;
}
