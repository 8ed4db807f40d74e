/** Checks the trade ids of one market in the merged stream: duplicates, conflicts, order and gaps. */
import type { QualityLog } from "../quality.ts";
import type { IdRule } from "../readers/layout.ts";
import type { EventBatch } from "./eventBatch.ts";
import { IdTimes } from "./idTimes.ts";

/** Consecutive rows of one batch that the stream took. */
interface Run {
  readonly batch: EventBatch;
  readonly begin: number;
  readonly end: number;
}

/**
 * Follows the ids of one market in total order. A trade is a proven duplicate if id, time, price, size and side are all
 * equal to those of a trade before it. As the stream is ordered by time, such a trade is in the same millisecond.
 */
export class TradeIds {
  private readonly log: QualityLog;
  private readonly rule: IdRule;
  private readonly times: IdTimes | undefined;
  /** Greatest id so far. */
  private last = -1;
  /** Runs taken that may hold trades of the current millisecond. */
  private runs: Run[] = [];

  constructor(rule: IdRule, log: QualityLog) {
    this.rule = rule;
    this.log = log;
    this.times = rule === "unique" ? new IdTimes() : undefined;
  }

  /** @returns the first row that has to be left out, or `end` */
  follow(batch: EventBatch, begin: number, end: number): number {
    if (this.rule === "none" || batch.id.length === 0) return end;
    this.forgetEarlier(batch.timeMs[begin]!);
    const stop = this.times === undefined ? this.followRising(batch, begin, end) : this.followUnique(batch, begin, end);
    if (stop > begin) this.runs.push({ batch, begin, end: stop });
    return stop;
  }

  private followRising(batch: EventBatch, begin: number, end: number): number {
    const { id } = batch;
    const contiguous = this.rule === "contiguous";
    for (let row = begin; row < end; row++) {
      const next = id[row]!;
      const last = this.last;
      if (next <= last) {
        if (!this.keepsRepeated(batch, begin, row, next === last)) return row;
        continue;
      }
      if (contiguous && next !== last + 1 && last >= 0) {
        const reason = `${next - last - 1} trade ids are missing between ${last} and ${next}`;
        this.log.report("gap", batch.source, batch.line[row]!, "id", reason);
      }
      this.last = next;
    }
    return end;
  }

  private followUnique(batch: EventBatch, begin: number, end: number): number {
    for (let row = begin; row < end; row++) {
      if (batch.id[row] === 0) continue; // no id
      const known = this.times!.add(batch.id[row]!, batch.timeMs[row]!);
      if (known !== undefined && !this.keepsRepeated(batch, begin, row, true)) return row;
    }
    return end;
  }

  /**
   * A row whose id is not above all before it.
   *
   * @param isSeen the id is known to have occurred
   * @returns false if the row is left out
   */
  private keepsRepeated(batch: EventBatch, begin: number, row: number, isSeen: boolean): boolean {
    const id = batch.id[row]!;
    const earlier = this.findInInstant(batch, begin, row);
    const report = (kind: "duplicate" | "conflict" | "idOrder", reason: string): void =>
      this.log.report(kind, batch.source, batch.line[row]!, "id", reason);
    if (earlier !== undefined && isEqualTrade(batch, row, earlier.batch, earlier.row)) {
      report("duplicate", `trade ${id} exists already, with equal contents`);
      return false;
    }
    if (earlier !== undefined || isSeen) {
      report("conflict", `trade ${id} exists already, with other contents`);
      return false;
    }
    report("idOrder", `trade ${id} comes after trade ${this.last}`);
    return true;
  }

  private forgetEarlier(timeMs: number): void {
    const last = this.runs.at(-1);
    if (last !== undefined && last.batch.timeMs[last.end - 1]! < timeMs) this.runs = [];
  }

  /** The trade of the same millisecond with the id of the row, if there is one before it. */
  private findInInstant(batch: EventBatch, begin: number, row: number): { batch: EventBatch; row: number } | undefined {
    const id = batch.id[row]!;
    const timeMs = batch.timeMs[row]!;
    for (const run of [{ batch, begin, end: row }, ...this.runs.toReversed()]) {
      for (let at = run.end - 1; at >= run.begin; at--) {
        if (run.batch.timeMs[at] !== timeMs) return undefined;
        if (run.batch.id[at] === id) return { batch: run.batch, row: at };
      }
    }
    return undefined;
  }
}

function isEqualTrade(a: EventBatch, row: number, b: EventBatch, other: number): boolean {
  return a.price[row] === b.price[other] && a.size[row] === b.size[other] && a.side[row] === b.side[other];
}
