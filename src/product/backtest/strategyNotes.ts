/** Lines of a strategy's log that are kept. */
const LOG_MOST = 10_000;

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

/** Figures and lines that a strategy reports in a run. */
export class StrategyNotes {
  readonly logs: LogLine[] = [];
  readonly #metrics = new Map<string, { count: number; last: number; least: number; greatest: number; sum: number }>();

  /** The figures by name. */
  get metrics(): Record<string, StrategyMetric> {
    return Object.fromEntries(
      [...this.#metrics].map(([name, { sum, ...metric }]) => [name, { ...metric, mean: sum / metric.count }]),
    );
  }

  addMetric(name: string, value: number): void {
    const metric = this.#metrics.get(name);
    if (metric === undefined) {
      this.#metrics.set(name, { count: 1, last: value, least: value, greatest: value, sum: value });
      return;
    }
    metric.count++;
    metric.last = value;
    metric.least = Math.min(metric.least, value);
    metric.greatest = Math.max(metric.greatest, value);
    metric.sum += value;
  }

  addLog(text: string, timeMs: number): void {
    if (this.logs.length < LOG_MOST) this.logs.push({ timeMs, text });
  }
}
