import { DataError } from "../errors.ts";
import type { EventChunk } from "../types.ts";
import { EventKind, type SeriesSummary } from "../types.ts";

/** The `id` of an event names its series in 16 bits of a key. */
const SERIES_MAX = 65_535;

interface Listed {
  readonly market: string;
  readonly name: string;
  events: number;
  fromMs: number;
  toMs: number;
}

/** The series of a stream, each with its place, in the order in which they are met. */
export class SeriesList {
  readonly #all: Listed[] = [];
  readonly #places = new Map<string, number>();

  /**
   * Place of a series, which is the `id` of its events.
   *
   * @throws {DataError} SOURCE_INVALID for one more than 65,535
   */
  placeOf(market: string, name: string): number {
    const key = `${market} ${name}`;
    const known = this.#places.get(key);
    if (known !== undefined) return known;
    const place = this.#all.length;
    if (place === SERIES_MAX) throw new DataError("SOURCE_INVALID", `more than ${SERIES_MAX} series`);
    this.#all.push({ market, name, events: 0, fromMs: 0, toMs: 0 });
    this.#places.set(key, place);
    return place;
  }

  nameOf(place: number): string {
    return this.#all[place]!.name;
  }

  /** Counts a value. */
  add(place: number, timeMs: number): void {
    const series = this.#all[place]!;
    if (series.events++ === 0) series.fromMs = timeMs;
    series.toMs = timeMs;
  }

  /** Counts the values of a chunk. */
  addChunk({ count, kind, timeMs, id }: EventChunk): void {
    for (let row = 0; row < count; row++) if (kind[row] === EventKind.series) this.add(id[row]!, timeMs[row]!);
  }

  /** As a manifest has them: nothing without series. */
  listed(): { readonly series?: readonly SeriesSummary[] } {
    return this.#all.length === 0 ? {} : { series: this.#all.map((series) => ({ ...series })) };
  }
}
