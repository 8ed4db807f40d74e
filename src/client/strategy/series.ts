/** Recorded series, such as open interest or a premium, as a strategy reads them. */
import { StrategyError } from "./errors.ts";

/** Most values of a series that a strategy can look back at. */
export const SERIES_KEPT = 1_000;

/** A value of a series. */
export interface SeriesValue {
  /** The double nearest to the value. */
  readonly value: number;
  /** The value as it was recorded: canonical decimal text, which may have more digits than a double. */
  readonly exact: string;
  /** Time that the source states for it, ms. */
  readonly timeMs: number;
  /** When it was known, ms; never after the time up to which the strategy has seen the data. */
  readonly knownMs: number;
}

/** A series as far as it is known now. */
export interface SeriesView {
  readonly market: string;
  readonly name: string;
  /** The last known value, however old; undefined before the first. */
  readonly last: SeriesValue | undefined;
  /**
   * The last known values, oldest first.
   *
   * @param count at most 1,000
   * @throws {StrategyError} SERIES_UNKNOWN for another count
   */
  recent(count: number): readonly SeriesValue[];
}

/** The series of a run, for one strategy. */
export interface SeriesSource {
  /** All that the data has, in its order. */
  readonly all: readonly SeriesView[];
  /** From now on, what was known at a time (included) is shown. Times never fall. */
  moveTo(timeMs: number): void;
}

/**
 * A series of a market by its name.
 *
 * @throws {StrategyError} SERIES_UNKNOWN where the data has none of that name there
 */
export function findSeries(source: SeriesSource | undefined, market: string, name: string): SeriesView {
  const all = source?.all ?? [];
  const found = all.find((series) => series.market === market && series.name === name);
  if (found !== undefined) return found;
  const own = all.filter((series) => series.market === market).map((series) => series.name);
  throw new StrategyError("SERIES_UNKNOWN", `there is no series ${JSON.stringify(name)} of ${market}`, {
    place: "series",
    hint:
      own.length > 0
        ? `the data has ${own.join(", ")}`
        : "add a file with series to the data of a backtest, such as Binance metrics; a service has none",
  });
}

/** @throws {StrategyError} SERIES_UNKNOWN for a count that is not whole, or not from 1 to 1,000 */
export function checkSeriesCount(count: unknown): asserts count is number {
  if (Number.isInteger(count) && (count as number) >= 1 && (count as number) <= SERIES_KEPT) return;
  throw new StrategyError("SERIES_UNKNOWN", `${String(count)} is no number of values`, {
    place: "recent",
    hint: `give a whole number from 1 to ${SERIES_KEPT}`,
  });
}
