/**
 * Checks the updates of one market's order book in the merged stream: snapshots, what comes before them, missing
 * updates.
 */
import type { QualityLog } from "../quality.ts";
import type { UpdateRule } from "../readers/layout.ts";
import { BookFlag } from "../types.ts";
import type { EventBatch } from "./eventBatch.ts";

/**
 * Follows the updates in total order. Rows of one update have one id and one time.
 *
 * - Before the first snapshot nothing is known of the book: changes there are `stale`. A book that starts empty needs
 *   none.
 * - A snapshot has the id of the last update in it. A change up to that id is `stale`.
 * - After an update that does not follow the one before it, its first row is flagged: levels may be wrong from there
 *   on.
 */
export class BookUpdates {
  readonly #rule: UpdateRule;
  readonly #log: QualityLog;
  #hasBook: boolean;
  #isFirst = true;
  /** Id and time of the last update that was taken; -1 for none. */
  #lastId = -1;
  #lastMs = -1;
  /** Id of the last snapshot, until a change goes beyond it. */
  #snapshotId = -1;

  constructor(rule: UpdateRule, startsEmpty: boolean, log: QualityLog) {
    this.#rule = rule;
    this.#hasBook = startsEmpty;
    this.#log = log;
  }

  /** @returns the first row that has to be left out, or `end`. Flags the rows before it */
  follow(batch: EventBatch, begin: number, end: number): number {
    const { flags, id, timeMs } = batch;
    const hasIds = this.#rule !== "none" && id.length > 0;
    for (let row = begin; row < end; row++) {
      if ((flags[row]! & BookFlag.snapshot) !== 0) {
        this.#hasBook = true;
        this.#snapshotId = hasIds ? id[row]! : -1;
        this.#lastId = this.#snapshotId;
      } else {
        if (this.#isStale(batch, row, hasIds)) return row;
        if (hasIds) this.#checkOrder(batch, row);
      }
      if (this.#isFirst) flags[row]! |= BookFlag.first;
      this.#isFirst = false;
      this.#lastMs = timeMs[row]!;
    }
    return end;
  }

  #isStale(batch: EventBatch, row: number, hasIds: boolean): boolean {
    if (!this.#hasBook) {
      this.#log.report("stale", batch.source, batch.line[row]!, "", "the change comes before the first snapshot");
      return true;
    }
    if (!hasIds || batch.id[row]! > this.#snapshotId) return false;
    const reason = `update ${batch.id[row]} is in the snapshot of update ${this.#snapshotId} already`;
    this.#log.report("stale", batch.source, batch.line[row]!, "", reason);
    return true;
  }

  #checkOrder(batch: EventBatch, row: number): void {
    const id = batch.id[row]!;
    const last = this.#lastId;
    if (id === last && batch.timeMs[row] === this.#lastMs) return;
    if (last >= 0 && !this.#isNext(batch, row, id, last)) {
      const reason =
        id <= last ? `update ${id} comes after update ${last}` : `updates are missing between ${last} and ${id}`;
      this.#log.report("gap", batch.source, batch.line[row]!, "", reason);
      batch.flags[row]! |= BookFlag.gap;
    }
    this.#lastId = id;
  }

  #isNext(batch: EventBatch, row: number, id: number, last: number): boolean {
    switch (this.#rule) {
      case "contiguous":
        return id === last + 1;
      case "rising":
        return id > last;
      default: {
        const previous = batch.previous[row]!;
        // The first update after a snapshot may begin before it.
        return last === this.#snapshotId ? previous <= last && id > last : previous === last;
      }
    }
  }
}
