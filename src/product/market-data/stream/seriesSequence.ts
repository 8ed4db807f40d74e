/** What can be seen only in the merged series of one market: values that come twice, out of order, or not at all. */
import { formatDuration } from "../durations.ts";
import type { QualityLog } from "../quality.ts";
import type { SeriesSpec } from "../readers/layout.ts";
import type { EventBatch } from "./eventBatch.ts";
import type { Follower } from "./sequence.ts";
import type { SeriesList } from "./seriesList.ts";

/** A value is missing where the next one comes later than this, in expected distances: samples are not on the clock. */
const SLACK = 1.5;

interface Last {
  /** Own time of the value. */
  readonly ownMs: number;
  readonly whole: number;
  readonly fraction: number;
}

/** Follows all series of one market in total order. */
export class SeriesSequence implements Follower {
  readonly replaces = false;
  readonly priceStep = 0;
  readonly sizeStep = 0;
  fromMs = 0;
  toMs = 0;
  count = 0;
  readonly #list: SeriesList;
  readonly #log: QualityLog;
  readonly #last = new Map<number, Last>();
  /** By series: expected distance of its values; 0 for the length that a row covers, undefined for neither. */
  readonly #spacings = new Map<number, number>();

  constructor(list: SeriesList, log: QualityLog) {
    this.#list = list;
    this.#log = log;
  }

  /** @param ids places of the series of a source; the first source of a series decides about its gaps */
  expect({ covers, spacingMs }: SeriesSpec, ids: readonly number[]): void {
    if (covers === undefined && spacingMs === 0) return;
    for (const id of ids) if (!this.#spacings.has(id)) this.#spacings.set(id, spacingMs);
  }

  follow(batch: EventBatch, begin: number, end: number): number {
    let row = begin;
    while (row < end && this.#take(batch, row)) row++;
    return row;
  }

  finish(): void {}

  /** @returns whether the value is taken */
  #take({ timeMs, intervalMs, price, size, id, line, source }: EventBatch, row: number): boolean {
    const place = id[row]!;
    const ownMs = timeMs[row]! - intervalMs[row]!;
    const last = this.#last.get(place);
    const report = (kind: "duplicate" | "conflict" | "gap", reason: string, hint?: string) =>
      this.#log.report(kind, source, line[row]!, this.#list.nameOf(place), reason, hint === undefined ? {} : { hint });
    if (last !== undefined && ownMs <= last.ownMs) {
      const isEqual = ownMs === last.ownMs && last.whole === price[row] && last.fraction === size[row];
      if (isEqual) report("duplicate", "there is an equal value for this time already");
      else if (ownMs === last.ownMs) report("conflict", "there is another value for this time already");
      else report("conflict", "a value of a later time is known already", "read the files with one delay");
      return false;
    }
    const spacing = this.#spacings.get(place);
    const distance = last === undefined ? 0 : ownMs - last.ownMs;
    const expected = spacing === 0 ? intervalMs[row]! : (spacing ?? 0);
    if (expected > 0 && distance > expected * SLACK) {
      const missing = Math.max(1, Math.round(distance / expected) - 1);
      const each = formatDuration(expected) ?? `${expected} ms`;
      const since = new Date(last!.ownMs).toISOString();
      report(
        "gap",
        `${missing} ${missing === 1 ? "value is" : "values are"} missing after ${since}, one every ${each}`,
      );
    }
    this.#last.set(place, { ownMs, whole: price[row]!, fraction: size[row]! });
    if (this.count++ === 0) this.fromMs = timeMs[row]!;
    this.toMs = timeMs[row]!;
    this.#list.add(place, timeMs[row]!);
    return true;
  }
}
