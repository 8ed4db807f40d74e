import { countBelow } from "../../../ground/math/sorted.ts";
import { type EventChunk, EventKind } from "../types.ts";
import { type EventBatch, NUMBER_COLUMNS } from "./eventBatch.ts";

/** Rows of a full chunk. */
export const CHUNK_ROWS = 65_536;

/** Below this a loop copies faster than `set`. */
const SHORT_RUN = 24;

/** Kinds whose rows are never replaced by a later row of their instant. */
const FINAL_KINDS: readonly number[] = [EventKind.trade, EventKind.depth, EventKind.quote, EventKind.series];

/** Placeholder for every column that no row of a chunk uses. It is never written to. */
const ZEROS = new Float64Array(CHUNK_ROWS);
/** The same for the flags. */
const NO_FLAGS = new Uint8Array(ZEROS.buffer, 0, CHUNK_ROWS);

/** The zeros of a column that no row uses. */
export function unusedColumn(rows: number): Float64Array {
  return rows === CHUNK_ROWS ? ZEROS : ZEROS.subarray(0, rows);
}

/** True for a column that `ChunkBuilder` left out, all of whose values are zero. */
export function isUnused(column: ArrayBufferView): boolean {
  return column.buffer === ZEROS.buffer;
}

type Building = { -readonly [K in keyof EventChunk]: EventChunk[K] };

/** Collects events into chunks. */
export class ChunkBuilder {
  private chunk = createEmpty();
  private count = 0;

  get isFull(): boolean {
    return this.count === CHUNK_ROWS;
  }

  /** Rows that still fit. */
  get room(): number {
    return CHUNK_ROWS - this.count;
  }

  /** Appends rows begin .. end - 1; they fit. */
  append(batch: EventBatch, begin: number, end: number): void {
    const { chunk } = this;
    const at = this.count;
    const rows = end - begin;
    this.count = at + rows;
    chunk.kind.fill(batch.kind, at, at + rows);
    if (batch.market !== 0) chunk.market.fill(batch.market, at, at + rows);
    copy(batch.timeMs, chunk.timeMs, begin, end, at);
    if (batch.side.length > 0) copy(batch.side, chunk.side, begin, end, at);
    if (batch.flags.length > 0) copy(batch.flags, this.writeFlags(), begin, end, at);
    for (const name of NUMBER_COLUMNS) {
      const from = batch[name];
      if (from.length === 0) continue;
      if (chunk[name] === ZEROS) chunk[name] = new Float64Array(CHUNK_ROWS);
      copy(from, chunk[name], begin, end, at);
    }
  }

  private writeFlags(): Uint8Array {
    if (this.chunk.flags === NO_FLAGS) this.chunk.flags = new Uint8Array(CHUNK_ROWS);
    return this.chunk.flags;
  }

  /** Replaces the last row of its kind and market, which has the same time. */
  replace(batch: EventBatch, row: number): void {
    const { chunk } = this;
    for (let at = this.count - 1; at >= 0 && chunk.timeMs[at] === batch.timeMs[row]; at--) {
      if (chunk.kind[at] !== batch.kind || chunk.market[at] !== batch.market) continue;
      for (const name of NUMBER_COLUMNS) if (batch[name].length > 0) chunk[name][at] = batch[name][row]!;
      return;
    }
    throw new Error("the row to replace was handed out already");
  }

  /**
   * Hands out a full chunk. If it ends with a kind of which a row may be replaced, as an unfinished bar is, the rows of
   * its last instant stay, unless they fill it alone.
   */
  flushFull(): EventChunk {
    const { chunk, count } = this;
    const last = chunk.timeMs[count - 1]!;
    const isFinal = FINAL_KINDS.includes(chunk.kind[count - 1]!);
    const held = isFinal ? count : countBelow(chunk.timeMs, last, count);
    if (held === 0 || held === count) return this.flush()!;
    this.chunk = createEmpty();
    this.count = 0;
    for (let at = held; at < count; at++) this.copyRow(chunk, at);
    return sliceChunk(chunk, 0, held);
  }

  /**
   * Appends one row of a chunk; it fits.
   *
   * @param market index of the row's market in this stream
   * @param id     of the row in this stream, which for a series is the place of it
   */
  copyRow(from: EventChunk, at: number, market: number = from.market[at]!, id: number = from.id[at]!): void {
    const { chunk } = this;
    const to = this.count++;
    chunk.kind[to] = from.kind[at]!;
    chunk.market[to] = market;
    chunk.side[to] = from.side[at]!;
    if (!isUnused(from.flags)) this.writeFlags()[to] = from.flags[at]!;
    chunk.timeMs[to] = from.timeMs[at]!;
    for (const name of NUMBER_COLUMNS) {
      if (isUnused(from[name])) continue;
      if (chunk[name] === ZEROS) chunk[name] = new Float64Array(CHUNK_ROWS);
      chunk[name][to] = name === "id" ? id : from[name][at]!;
    }
  }

  /** Returns the collected events and starts empty; `undefined` if there were none. */
  flush(): EventChunk | undefined {
    if (this.count === 0) return undefined;
    const done = sliceChunk(this.chunk, 0, this.count);
    this.chunk = createEmpty();
    this.count = 0;
    return done;
  }
}

function createEmpty(): Building {
  return {
    count: CHUNK_ROWS,
    kind: new Uint8Array(CHUNK_ROWS),
    market: new Uint16Array(CHUNK_ROWS),
    side: new Int8Array(CHUNK_ROWS),
    timeMs: new Float64Array(CHUNK_ROWS),
    price: ZEROS,
    size: ZEROS,
    open: ZEROS,
    high: ZEROS,
    low: ZEROS,
    rate: ZEROS,
    intervalMs: ZEROS,
    id: ZEROS,
    flags: NO_FLAGS,
  };
}

function copy<A extends Float64Array | Int8Array | Uint8Array>(
  from: A,
  to: A,
  begin: number,
  end: number,
  at: number,
): void {
  if (end - begin > SHORT_RUN) to.set(from.subarray(begin, end), at);
  else for (let row = begin; row < end; row++) to[at++] = from[row]!;
}

/** Rows begin .. end - 1 of a chunk; shares its memory. */
export function sliceChunk(chunk: EventChunk, begin: number, end: number): EventChunk {
  if (begin === 0 && end === chunk.count && chunk.kind.length === end) return chunk;
  return {
    count: end - begin,
    kind: chunk.kind.subarray(begin, end),
    market: chunk.market.subarray(begin, end),
    side: chunk.side.subarray(begin, end),
    timeMs: chunk.timeMs.subarray(begin, end),
    price: chunk.price.subarray(begin, end),
    size: chunk.size.subarray(begin, end),
    open: chunk.open.subarray(begin, end),
    high: chunk.high.subarray(begin, end),
    low: chunk.low.subarray(begin, end),
    rate: chunk.rate.subarray(begin, end),
    intervalMs: chunk.intervalMs.subarray(begin, end),
    id: chunk.id.subarray(begin, end),
    flags: chunk.flags.subarray(begin, end),
  };
}

/** The part of a chunk within fromMs <= time < toMs; `undefined` if there is none. */
export function trimChunk(chunk: EventChunk, fromMs: number, toMs: number): EventChunk | undefined {
  const begin = countBelow(chunk.timeMs, fromMs, chunk.count);
  const end = countBelow(chunk.timeMs, toMs, chunk.count);
  return begin < end ? sliceChunk(chunk, begin, end) : undefined;
}
