/** What can be seen only in the merged stream of one market and kind: duplicates, gaps, bars of two lengths. */
import { DataError } from "../errors.ts";
import type { QualityLog } from "../quality.ts";
import type { IdRule } from "../readers/layout.ts";
import { EventKind } from "../types.ts";
import type { EventBatch } from "./eventBatch.ts";

/** Months have 28 to 31 days; shorter bars have one length. */
const MONTH_MS = 28 * 86_400_000;

/** Follows the events of one market and kind in total order. */
export class Sequence {
  private readonly log: QualityLog;
  private readonly ids: IdRule;
  /** Expected distance of point samples; 0 for none. */
  private readonly spacingMs: number;
  private readonly market: string;
  private lastTime = -1;
  private lastId = -1;
  private lastInterval = 0;
  /** Greatest common divisor of prices and of sizes; 0 before the first. */
  priceStep = 0;
  sizeStep = 0;
  fromMs = 0;
  toMs = 0;
  count = 0;

  constructor(market: string, ids: IdRule, spacingMs: number, log: QualityLog) {
    this.market = market;
    this.ids = ids;
    this.spacingMs = spacingMs;
    this.log = log;
  }

  /**
   * Looks at rows begin .. end - 1, which come next.
   *
   * @returns the first row that is a duplicate and has to be left out, or `end`
   */
  follow(batch: EventBatch, begin: number, end: number): number {
    const duplicate = this.find(batch, begin, end);
    if (duplicate > begin) {
      if (this.count === 0) this.fromMs = batch.timeMs[begin]!;
      this.count += duplicate - begin;
      this.toMs = batch.timeMs[duplicate - 1]!;
      if (batch.kind === EventKind.trade || batch.kind === EventKind.bar) {
        for (const column of [batch.price, batch.open, batch.high, batch.low]) {
          if (column.length > 0) this.priceStep = commonStep(this.priceStep, column, begin, duplicate);
        }
        this.sizeStep = commonStep(this.sizeStep, batch.size, begin, duplicate);
      }
    }
    return duplicate;
  }

  private find(batch: EventBatch, begin: number, end: number): number {
    if (batch.kind === EventKind.trade) {
      return this.ids === "none" || batch.id.length === 0 ? end : this.followIds(batch, begin, end);
    }
    return this.followTimes(batch, begin, end);
  }

  private followIds(batch: EventBatch, begin: number, end: number): number {
    const { id } = batch;
    const contiguous = this.ids === "contiguous";
    let last = this.lastId;
    for (let row = begin; row < end; row++) {
      const next = id[row]!;
      if (next <= last) {
        this.lastId = last;
        const reason = `trade ${next} comes after trade ${last}`;
        this.log.report("duplicate", batch.source, batch.line[row]!, "id", reason);
        return row;
      }
      if (contiguous && next !== last + 1 && last >= 0) {
        const reason = `${next - last - 1} trade ids are missing between ${last} and ${next}`;
        this.log.report("gap", batch.source, batch.line[row]!, "id", reason);
      }
      last = next;
    }
    this.lastId = last;
    return end;
  }

  private followTimes(batch: EventBatch, begin: number, end: number): number {
    const { timeMs, intervalMs } = batch;
    const isFunding = batch.kind === EventKind.funding;
    const hasIntervals = intervalMs.length > 0;
    for (let row = begin; row < end; row++) {
      const time = timeMs[row]!;
      const interval = hasIntervals ? intervalMs[row]! : this.spacingMs;
      if (this.lastTime >= 0) {
        if (hasIntervals && !isFunding) this.checkLength(batch, row, interval);
        // Settlements come some milliseconds late; bars and points do not.
        const slack = isFunding ? interval / 2 : 0;
        const distance = time - this.lastTime;
        const isSame = distance <= 0 || (hasIntervals && !isFunding && distance < Math.min(interval, MONTH_MS));
        if (isSame) {
          const reason =
            distance <= 0 ? "there is a row for this instant already" : "the bar overlaps the one before it";
          this.log.report("duplicate", batch.source, batch.line[row]!, "", reason);
          return row;
        }
        if (interval > 0 && distance > interval + slack && interval < MONTH_MS) {
          const missing = Math.round(distance / interval) - 1;
          const since = new Date(this.lastTime).toISOString();
          const reason = `${missing} of ${interval} ms missing since ${since}`;
          this.log.report("gap", batch.source, batch.line[row]!, "", reason);
        }
      }
      this.lastTime = time;
      this.lastInterval = interval;
    }
    return end;
  }

  private checkLength(batch: EventBatch, row: number, interval: number): void {
    const last = this.lastInterval;
    if (interval === last || (interval >= MONTH_MS && last >= MONTH_MS)) return;
    throw new DataError("DATA_LAYOUT", `the market ${this.market} has bars of ${last} ms and of ${interval} ms`, {
      file: this.log.fileOf(batch.source),
      line: batch.line[row]!,
      hint: "read one length at a time, or give the files different markets",
    });
  }
}

/** Greatest common divisor of a step and the values of a column; zeros do not count. */
function commonStep(step: number, column: Float64Array, begin: number, end: number): number {
  if (step === 1) return 1;
  for (let row = begin; row < end; row++) {
    const value = column[row]!;
    if (value === 0) continue;
    // Dividing is much cheaper than a remainder, and exact whenever the value is a multiple.
    const quotient = value / step;
    if (step === 0 || Math.floor(quotient) !== quotient) step = gcd(value, step);
  }
  return step;
}

function gcd(a: number, b: number): number {
  while (b !== 0) {
    const rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}
