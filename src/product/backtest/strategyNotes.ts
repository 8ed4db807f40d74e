import type { OwnMetricInput } from "../report/input.ts";
import { Thinner } from "../report/recording/thinner.ts";

/** Lines of a strategy's log that are kept. */
const LOG_MOST = 10_000;
/** Points of a metric's curve that are kept. */
const POINTS_MOST = 1_000;

/** A figure of the strategy's own over the run. */
export interface StrategyMetric {
  readonly count: number;
  readonly last: number;
  readonly least: number;
  readonly greatest: number;
  readonly mean: number;
}

/** A line of the strategy's own. */
export interface LogLine {
  readonly timeMs: number;
  readonly text: string;
}

interface Followed {
  count: number;
  last: number;
  least: number;
  greatest: number;
  sum: number;
  readonly curve: Thinner;
}

/** Figures and lines that a strategy reports in a run. */
export class StrategyNotes {
  readonly logs: LogLine[] = [];
  readonly #metrics = new Map<string, Followed>();
  readonly #row = new Float64Array(2);

  /** The figures by name. */
  get metrics(): Record<string, StrategyMetric> {
    return Object.fromEntries(
      [...this.#metrics].map(([name, { sum, curve: _, ...metric }]) => [name, { ...metric, mean: sum / metric.count }]),
    );
  }

  /** The same with their curves, for a report. */
  listOwnMetrics(): OwnMetricInput[] {
    return [...this.#metrics].map(([name, { sum, curve, ...metric }]) => {
      const [timeMs, values] = curve.columns() as [Float64Array, Float64Array];
      return { name, ...metric, mean: sum / metric.count, timeMs, values };
    });
  }

  addMetric(name: string, value: number, timeMs: number): void {
    let metric = this.#metrics.get(name);
    if (metric === undefined) {
      const curve = new Thinner(2, [{ column: 1, keep: "both" }], POINTS_MOST);
      metric = { count: 0, last: value, least: value, greatest: value, sum: 0, curve };
      this.#metrics.set(name, metric);
    }
    metric.count++;
    metric.last = value;
    metric.least = Math.min(metric.least, value);
    metric.greatest = Math.max(metric.greatest, value);
    metric.sum += value;
    this.#row[0] = timeMs;
    this.#row[1] = value;
    metric.curve.push(this.#row);
  }

  addLog(text: string, timeMs: number): void {
    if (this.logs.length < LOG_MOST) this.logs.push({ timeMs, text });
  }
}
