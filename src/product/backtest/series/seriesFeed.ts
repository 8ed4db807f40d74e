import type { EventChunk, SeriesSummary } from "../../market-data/types.ts";
import { SeriesReader } from "./seriesReader.ts";

/** The recorded series of a run: values come with the data, and each strategy reads them at its own time. */
export class SeriesFeed {
  readonly #series: readonly SeriesSummary[];
  readonly #readers: SeriesReader[] = [];
  /** Those whose strategies see every instant at once. */
  readonly #direct: SeriesReader[] = [];
  /** Values that came before the first reader. */
  readonly #early: EventChunk[] = [];

  /** @param series of the data, by the ids of their events */
  constructor(series: readonly SeriesSummary[]) {
    this.#series = series;
  }

  /** Takes in values, in the order of the stream; the chunk has nothing else. */
  add(chunk: EventChunk): void {
    if (this.#readers.length === 0) this.#early.push(chunk);
    for (const reader of this.#readers) reader.add(chunk);
  }

  /**
   * The series for one strategy, from their beginning. Readers are opened before the first is moved.
   *
   * @param isDirect false for a strategy whose messages take time, so that it reads an earlier time than the venue's
   */
  open(isDirect: boolean): SeriesReader {
    const reader = new SeriesReader(this.#series);
    for (const chunk of this.#early) reader.add(chunk);
    this.#readers.push(reader);
    if (isDirect) this.#direct.push(reader);
    return reader;
  }

  /** The venue has made every instant up to a time: values before it are not kept longer than they can be read. */
  settle(timeMs: number): void {
    for (const reader of this.#direct) reader.settle(timeMs);
  }
}
