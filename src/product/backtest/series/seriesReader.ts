import {
  checkSeriesCount,
  SERIES_KEPT,
  type SeriesSource,
  type SeriesValue,
  type SeriesView,
} from "../../../client/strategy/series.ts";
import { formatExact, toNearest } from "../../market-data/scan/exactDecimal.ts";
import type { EventChunk, SeriesSummary } from "../../market-data/types.ts";

/** Known values of one series: the last of them in a ring. */
class KnownSeries implements SeriesView {
  readonly market: string;
  readonly name: string;
  /** The strategy has read it. */
  isRead = false;
  /** Whole part, fraction, own time and time at which it was known, one after the other. */
  readonly #ring: number[] = [];
  #count = 0;

  constructor({ market, name }: SeriesSummary) {
    this.market = market;
    this.name = name;
  }

  push(whole: number, fraction: number, timeMs: number, knownMs: number): void {
    const at = (this.#count++ % SERIES_KEPT) * 4;
    this.#ring[at] = whole;
    this.#ring[at + 1] = fraction;
    this.#ring[at + 2] = timeMs;
    this.#ring[at + 3] = knownMs;
  }

  get last(): SeriesValue | undefined {
    this.isRead = true;
    return this.#count === 0 ? undefined : this.#read(this.#count - 1);
  }

  recent(count: number): readonly SeriesValue[] {
    checkSeriesCount(count);
    this.isRead = true;
    const found = Math.min(count, this.#count, SERIES_KEPT);
    return Array.from({ length: found }, (_, place) => this.#read(this.#count - found + place));
  }

  #read(place: number): SeriesValue {
    const at = (place % SERIES_KEPT) * 4;
    const ring = this.#ring;
    const parts = { whole: ring[at]!, fraction: ring[at + 1]! };
    return { value: toNearest(parts), exact: formatExact(parts), timeMs: ring[at + 2]!, knownMs: ring[at + 3]! };
  }
}

/** The series of a run as one strategy knows them at its time. */
export class SeriesReader implements SeriesSource {
  readonly all: readonly KnownSeries[];
  readonly #chunks: EventChunk[] = [];
  #row = 0;
  #hasBegun = false;

  constructor(series: readonly SeriesSummary[]) {
    this.all = series.map((one) => new KnownSeries(one));
  }

  add(chunk: EventChunk): void {
    this.#chunks.push(chunk);
  }

  moveTo(timeMs: number): void {
    this.#hasBegun = true;
    this.#take(timeMs);
  }

  /** Its strategy reads nothing at an earlier time. Bars of a warm-up come before any time of the run. */
  settle(timeMs: number): void {
    if (this.#hasBegun) this.#take(timeMs);
  }

  #take(untilMs: number): void {
    for (let chunk = this.#chunks[0]; chunk !== undefined; chunk = this.#chunks[0]) {
      const { count, timeMs, intervalMs, price, size, id } = chunk;
      let row = this.#row;
      for (; row < count && timeMs[row]! <= untilMs; row++) {
        const knownMs = timeMs[row]!;
        this.all[id[row]!]!.push(price[row]!, size[row]!, knownMs - intervalMs[row]!, knownMs);
      }
      this.#row = row;
      if (row < count) return;
      this.#chunks.shift();
      this.#row = 0;
    }
  }
}
