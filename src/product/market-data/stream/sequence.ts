/** What can be seen only in the merged stream of one market and kind: repeated rows, gaps, bars of two lengths. */
import { formatDuration } from "../durations.ts";
import { DataError } from "../errors.ts";
import type { QualityLog } from "../quality.ts";
import type { StreamSpec } from "../readers/layout.ts";
import { EventKind, GRID_KINDS } from "../types.ts";
import { BookUpdates } from "./bookUpdates.ts";
import { commonStep } from "./commonStep.ts";
import { type EventBatch, NUMBER_COLUMNS } from "./eventBatch.ts";
import { offSchedule } from "./fundingSchedule.ts";
import { TakerSides } from "./takerSides.ts";
import { TradeIds } from "./tradeIds.ts";

const NO_UPDATES = { updates: "none", startsEmpty: false } as const;

/** Months have 28 to 31 days; shorter bars have one length. */
const MONTH_MS = 28 * 86_400_000;

/** Checks the events of one market and kind in total order. */
export interface Follower {
  /** Greatest common divisor of prices and of sizes; 0 before the first. */
  readonly priceStep: number;
  readonly sizeStep: number;
  readonly fromMs: number;
  readonly toMs: number;
  /** Events that were taken. */
  readonly count: number;
  /** The row at which `follow` stopped takes the place of the row before it. */
  readonly replaces: boolean;
  /**
   * Checks rows begin .. end - 1, which come next.
   *
   * @returns the first row that is not appended (`replaces` says whether it replaces the last), or `end`
   */
  follow(batch: EventBatch, begin: number, end: number): number;
  /** Reports what only all rows together show. */
  finish(): void;
}

/** Follows the events of one market and kind in total order. */
export class Sequence implements Follower {
  private readonly log: QualityLog;
  private readonly ids: TradeIds;
  private readonly book: BookUpdates;
  private readonly sides = new TakerSides();
  /** Expected distance of point samples; 0 for none. */
  private readonly spacingMs: number;
  /** The last of several points at one time is taken. */
  private readonly takesLast: boolean;
  /** Of several rows for one bar or instant the last is taken, as the mapping states. */
  private readonly keepsLast: boolean;
  /** Time of the first settlement of a day. */
  private readonly offsetMs: number;
  private readonly market: string;
  private lastTime = -1;
  private lastInterval = 0;
  /** The last row that was taken. */
  private lastBatch: EventBatch | undefined;
  private lastRow = 0;
  priceStep = 0;
  sizeStep = 0;
  fromMs = 0;
  toMs = 0;
  count = 0;
  replaces = false;

  /**
   * @param spec the first stream of this kind and market: its rule for ids, its spacing and its schedule hold for all
   */
  constructor(market: string, spec: StreamSpec, log: QualityLog) {
    this.market = market;
    this.ids = new TradeIds(spec.shape === "trade" ? spec.ids : "none", log);
    const { updates, startsEmpty } = spec.shape === "depth" ? spec : NO_UPDATES;
    this.book = new BookUpdates(updates, startsEmpty, log);
    this.spacingMs = spec.shape === "point" ? spec.spacingMs : 0;
    this.takesLast = spec.shape === "point" && spec.takesLast === true;
    this.keepsLast = spec.duplicate === "last";
    this.offsetMs = spec.shape === "funding" ? spec.offsetMs : 0;
    this.log = log;
  }

  follow(batch: EventBatch, begin: number, end: number): number {
    this.replaces = false;
    const stop = this.followKind(batch, begin, end);
    if (stop > begin) {
      if (this.count === 0) this.fromMs = batch.timeMs[begin]!;
      this.count += stop - begin;
      this.toMs = batch.timeMs[stop - 1]!;
    }
    this.addSteps(batch, begin, this.replaces ? stop + 1 : stop);
    return stop;
  }

  private followKind(batch: EventBatch, begin: number, end: number): number {
    switch (batch.kind) {
      case EventKind.trade:
        return this.followTrades(batch, begin, end);
      case EventKind.depth:
        return this.book.follow(batch, begin, end);
      case EventKind.quote:
        return end;
      default:
        return this.followTimes(batch, begin, end);
    }
  }

  private followTrades(batch: EventBatch, begin: number, end: number): number {
    const stop = this.ids.follow(batch, begin, end);
    this.sides.add(batch, begin, stop);
    return stop;
  }

  finish(): void {
    const { oneSided } = this.sides;
    if (oneSided === undefined) return;
    const { side, trades, source, line } = oneSided;
    this.log.report("oneSided", source, line, "", `all ${trades} trades have the taker side ${side}`);
  }

  private addSteps(batch: EventBatch, begin: number, end: number): void {
    if (!GRID_KINDS.has(batch.kind)) return;
    for (const column of [batch.price, batch.open, batch.high, batch.low]) {
      if (column.length > 0) this.priceStep = commonStep(this.priceStep, column, begin, end);
    }
    this.sizeStep = commonStep(this.sizeStep, batch.size, begin, end);
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
        // Settlements and samples come some milliseconds early or late; bars do not.
        const slack = isFunding || !hasIntervals ? interval / 2 : 0;
        const distance = time - this.lastTime;
        if (distance <= 0) {
          if (this.takesLast) this.replaceLast(batch, row);
          else this.repeat(batch, row);
          return row;
        }
        if (hasIntervals && !isFunding && distance < Math.min(interval, MONTH_MS)) {
          const reason = "the bar overlaps the one before it";
          this.log.report("conflict", batch.source, batch.line[row]!, "", reason, {
            hint: "remove the row that is not on the grid of the interval, or correct the interval",
          });
          return row;
        }
        if (interval > 0 && distance > interval + slack && interval < MONTH_MS) {
          const missing = Math.round(distance / interval) - 1;
          const since = new Date(this.lastTime).toISOString();
          const each = formatDuration(interval) ?? `${interval} ms`;
          const reason = `${missing} ${missing === 1 ? "row is" : "rows are"} missing after ${since}, one every ${each}`;
          this.log.report("gap", batch.source, batch.line[row]!, "", reason);
        }
      }
      if (isFunding) {
        const reason = offSchedule(time, interval, this.offsetMs);
        if (reason !== undefined) this.log.report("offSchedule", batch.source, batch.line[row]!, "", reason);
      }
      this.lastTime = time;
      this.lastInterval = interval;
      this.lastBatch = batch;
      this.lastRow = row;
    }
    return end;
  }

  /** A second row for the last instant: equal, the finished form of an unfinished bar, or a contradiction. */
  private repeat(batch: EventBatch, row: number): void {
    const last = this.lastBatch!;
    if (this.keepsLast) {
      this.keepLast(batch, row);
      return;
    }
    const report = (kind: "duplicate" | "conflict", reason: string, details?: { treatment: string; hint: string }) =>
      this.log.report(kind, batch.source, batch.line[row]!, "", reason, details);
    if (NUMBER_COLUMNS.every((name) => last[name][this.lastRow] === batch[name][row])) {
      if (last.source === batch.source) report("duplicate", "there is an equal row for this instant already");
      else {
        report("duplicate", "another file has an equal row for this instant", {
          treatment: "kept the first",
          hint: "leave out the file that is named twice, or allow duplicate to keep the first of equal rows",
        });
      }
    } else if (isFinished(last, this.lastRow, batch, row)) {
      report("conflict", "the bar exists already, unfinished: this row has the same open and covers it", {
        treatment: "kept the finished bar",
        hint: "remove the unfinished bar, or allow conflict to keep the finished one",
      });
      this.replaceLast(batch, row);
    } else if (isFinished(batch, row, last, this.lastRow)) {
      report("conflict", "this bar is unfinished: the row before it has the same open and covers it", {
        treatment: "kept the finished bar",
        hint: "remove the unfinished bar, or allow conflict to keep the finished one",
      });
    } else {
      report("conflict", "there is a row for this instant already, with other contents");
    }
  }

  /** Counts what is replaced: a bar of another length is no second row for the last, and stays an error. */
  private keepLast(batch: EventBatch, row: number): void {
    const last = this.lastBatch!;
    const isEqual = NUMBER_COLUMNS.every((name) => last[name][this.lastRow] === batch[name][row]);
    const [kind, reason] = isEqual
      ? (["duplicate", "there is an equal row for this instant already"] as const)
      : (["conflict", "there is a row for this instant already, with other contents"] as const);
    const details = { treatment: "kept the last", isDecided: true };
    this.log.report(kind, batch.source, batch.line[row]!, "", reason, details);
    this.replaceLast(batch, row);
  }

  private replaceLast(batch: EventBatch, row: number): void {
    this.replaces = true;
    this.lastBatch = batch;
    this.lastRow = row;
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

/** True if the second bar is the first one later in its interval: same open, wider range, no less volume. */
function isFinished(first: EventBatch, a: number, second: EventBatch, b: number): boolean {
  if (first.open.length === 0 || second.open.length === 0) return false;
  const isCovered =
    first.intervalMs[a] === second.intervalMs[b] &&
    first.open[a] === second.open[b] &&
    second.high[b]! >= first.high[a]! &&
    second.low[b]! <= first.low[a]!;
  return isCovered && (first.size.length === 0 || second.size[b]! >= first.size[a]!);
}
