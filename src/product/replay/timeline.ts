import type { IntrabarOrder } from "../market-data/stream/barPath.ts";
import { type EventChunk, EventKind } from "../market-data/types.ts";
import type { BarPath } from "./barPath.ts";
import { BarWalk } from "./barWalk.ts";
import type { MarketFlow } from "./marketFlow.ts";
import type { MarketSurvey } from "./surveyMarkets.ts";

/** Rows of a chunk that fell into a block: from <= row < to. */
export interface Segment {
  readonly chunk: EventChunk;
  readonly from: number;
  readonly to: number;
}

const NO_SEGMENTS: readonly Segment[] = [];

/** Rows of a chunk that are read in one call. */
const ROWS_AT_ONCE = 256;

type OwnSegment = { -readonly [K in keyof Segment]: Segment[K] };

/**
 * Puts a stream of events into the order of their times. In the stream a bar is at its close; in the output it is a
 * path that began an interval earlier. Within one instant: the rows of the stream in their order, then the points of
 * bars by market.
 *
 * The stream is read ahead of the blocks by the longest bar, and no further; `safeMs` says up to when everything is
 * known. Nothing of a row reaches a block before the row's time.
 */
export class Timeline {
  readonly #flows: readonly MarketFlow[];
  /** By market: its bars, where they drive it. */
  readonly #walks: readonly (BarWalk | undefined)[];
  readonly #barWalks: readonly BarWalk[];
  /** By market: whether its quotes drive it. With a whole book they are left out. */
  readonly #isQuoted: readonly boolean[];
  readonly #longestMs: number;
  readonly #chunks: EventChunk[] = [];
  /** Next row to be put into a block. */
  #row = 0;
  #readMs = Number.NEGATIVE_INFINITY;
  #finished = false;
  #segments: readonly Segment[] = NO_SEGMENTS;
  #single: [OwnSegment] | undefined;

  /** @param surveys by market: which of them walk along bars */
  constructor(flows: readonly MarketFlow[], surveys: readonly MarketSurvey[], intrabar: IntrabarOrder) {
    this.#flows = flows;
    this.#walks = flows.map((flow, market) => {
      const survey = surveys[market]!;
      return survey.intervalMs > 0 ? new BarWalk(flow, survey, intrabar) : undefined;
    });
    this.#isQuoted = surveys.map(({ driver }) => driver === "quote");
    this.#barWalks = this.#walks.filter((walk) => walk !== undefined);
    this.#longestMs = Math.max(1, ...surveys.map(({ intervalMs }) => intervalMs));
    // Written twice: a field that was never written again is a constant of compiled code, until the first stream ends.
    this.#finished = false;
  }

  /** Up to when (included) everything is known. */
  get safeMs(): number {
    return this.#finished ? Number.POSITIVE_INFINITY : this.#readMs - this.#longestMs;
  }

  /** Takes in the next chunk of the stream. */
  add(chunk: EventChunk): void {
    if (chunk.count === 0) return;
    this.#chunks.push(chunk);
    this.#readMs = chunk.timeMs[chunk.count - 1]!;
    if (this.#barWalks.length === 0) return;
    for (let from = 0; from < chunk.count; from += ROWS_AT_ONCE) {
      this.#addRows(chunk, from, Math.min(chunk.count, from + ROWS_AT_ONCE));
    }
  }

  /** Shows rows to the walks. V8 keeps compiled code longer for a function than for one long loop. */
  #addRows(chunk: EventChunk, from: number, to: number): void {
    const { kind, market } = chunk;
    for (let row = from; row < to; row++) {
      const walk = this.#walks[market[row]!];
      if (walk === undefined) continue;
      switch (kind[row]) {
        case EventKind.bar:
          walk.addBar(chunk, row);
          break;
        case EventKind.mark:
          walk.addMark(chunk, row);
          break;
        case EventKind.index:
          walk.addIndex(chunk, row);
          break;
      }
    }
  }

  /** Longest bar that drives a market, ms; 1 without bars. */
  get longestMs(): number {
    return this.#longestMs;
  }

  /** Rows of the last instant, then all that were read and come later, in their order. */
  listAhead(): Segment[] {
    const [first, ...others] = this.#chunks;
    if (first === undefined) return [...this.#segments];
    const rest = others.map((chunk) => ({ chunk, from: 0, to: chunk.count }));
    return [...this.#segments, { chunk: first, from: this.#row, to: first.count }, ...rest];
  }

  /** The stream has ended. */
  finish(): void {
    this.#finished = true;
  }

  /** Time of the next data; Infinity where no further data is known. */
  nextMs(): number {
    const rowMs = this.#nextRowMs();
    return this.#barWalks.length === 0 ? rowMs : this.#findNextMs(rowMs);
  }

  #nextRowMs(): number {
    const chunk = this.#chunks[0];
    return chunk === undefined ? Number.POSITIVE_INFINITY : chunk.timeMs[this.#row]!;
  }

  #findNextMs(rowMs: number): number {
    let next = rowMs;
    for (const walk of this.#barWalks) {
      const at = walk.nextMs();
      if (at < next) next = at;
    }
    // A market whose bars have ended takes its depth back, but not as the last thing of a run.
    if (next === Number.POSITIVE_INFINITY && this.#finished) return next;
    for (const walk of this.#barWalks) {
      const at = walk.gapMs();
      if (at < next) next = at;
    }
    return next;
  }

  /**
   * Reads the path of the next bars, where one market alone is walked, as far as nothing else happens on it.
   *
   * @param bars  most bars
   * @param dueMs time of the next instant that the caller needs, which ends the path
   * @returns how many points it has
   */
  peekPath(path: BarPath, bars: number, dueMs: number): number {
    path.count = 0;
    const [walk] = this.#barWalks;
    const chunk = this.#chunks[0];
    if (walk === undefined || chunk === undefined || this.#walks.length !== 1 || !walk.isPlain) return 0;
    // Times are whole: the first that is not safe is a millisecond later.
    const untilMs = Math.min(dueMs, this.safeMs + 1);
    path.untilMs = untilMs;
    for (let ahead = 0; ahead < bars; ahead++) {
      const row = this.#row + ahead;
      if (row === chunk.count) break;
      const rowMs = chunk.timeMs[row]!;
      if (!walk.appendTo(path, ahead, chunk, row)) break;
      // The close goes with other rows of its time. The end of a chunk may have some in the next.
      if (rowMs >= untilMs || !walk.isAt(ahead, chunk, row) || !this.#isAlone(chunk, row)) break;
      walk.appendClose(path, ahead);
    }
    return path.count;
  }

  #isAlone(chunk: EventChunk, row: number): boolean {
    const after = row + 1 < chunk.count ? chunk.timeMs[row + 1] : this.#chunks[1]?.timeMs[0];
    return after === undefined ? this.#finished : after > chunk.timeMs[row]!;
  }

  /**
   * Walks along the first points of the path that `peekPath` has read. The caller gives the flow their prices.
   *
   * @returns the rows of the last of them; valid until the next call
   */
  passPath(points: number, lastMs: number): readonly Segment[] {
    this.#segments = NO_SEGMENTS;
    const bars = this.#barWalks[0]!.pass(points);
    if (bars === 0) return this.#segments;
    const chunk = this.#chunks[0]!;
    const to = this.#row + bars;
    if (chunk.timeMs[to - 1] === lastMs) this.#addSegment(chunk, to - 1, to);
    this.#row = to;
    if (to === chunk.count) {
      this.#chunks.shift();
      this.#row = 0;
    }
    return this.#segments;
  }

  /** Adds rows to the segments. Most instants have one of them, whose object is used again. */
  #addSegment(chunk: EventChunk, from: number, to: number): void {
    if (this.#segments.length > 0) {
      this.#segments = [...this.#segments, { chunk, from, to }];
      return;
    }
    const [segment] = (this.#single ??= [{ chunk, from, to }]);
    segment.chunk = chunk;
    segment.from = from;
    segment.to = to;
    this.#segments = this.#single;
  }

  /**
   * Puts everything up to `untilMs`, which is safe, into the flows.
   *
   * @returns the rows that were taken; valid until the next call
   */
  take(untilMs: number): readonly Segment[] {
    this.#segments = NO_SEGMENTS;
    if (this.#barWalks.length === 0) this.#takeRows(untilMs);
    else this.#takeAll(untilMs);
    return this.#segments;
  }

  #takeAll(untilMs: number): void {
    for (;;) {
      let at = Number.POSITIVE_INFINITY;
      for (const walk of this.#barWalks) {
        const pointMs = walk.nextMs();
        const gapMs = walk.gapMs();
        if (pointMs < at) at = pointMs;
        if (gapMs < at) at = gapMs;
      }
      if (at > untilMs) break;
      this.#takeRows(at);
      for (const walk of this.#barWalks) walk.moveTo(at);
    }
    this.#takeRows(untilMs);
  }

  #takeRows(untilMs: number): void {
    for (let chunk = this.#chunks[0]; chunk !== undefined; chunk = this.#chunks[0]) {
      const from = this.#row;
      const to = this.#takeFrom(chunk, from, untilMs);
      if (to > from) this.#addSegment(chunk, from, to);
      if (to < chunk.count) {
        this.#row = to;
        return;
      }
      this.#chunks.shift();
      this.#row = 0;
    }
  }

  /** The hot loop: rows of one chunk up to a time. Returns the first row that is later. */
  #takeFrom(chunk: EventChunk, from: number, untilMs: number): number {
    const { count, kind, market, timeMs, price, size, side, rate, id } = chunk;
    const flows = this.#flows;
    let row = from;
    while (row < count) {
      const at = timeMs[row]!;
      if (at > untilMs) break;
      const flow = flows[market[row]!]!;
      if (kind[row] === EventKind.depth) {
        row = flow.setLevels(chunk, row, untilMs);
        continue;
      }
      switch (kind[row]) {
        case EventKind.trade:
          flow.print(price[row]!, size[row]!, side[row]!);
          break;
        case EventKind.mark:
          flow.prices.setMark(price[row]!, at);
          break;
        case EventKind.index:
          flow.prices.setIndex(price[row]!, at);
          break;
        case EventKind.funding:
          flow.prices.addFunding(rate[row]!);
          break;
        case EventKind.quote:
          if (this.#isQuoted[market[row]!] === true) flow.setBest(price[row]!, size[row]!, side[row]!, at, id[row]!);
          break;
      }
      row++;
    }
    return row;
  }
}
