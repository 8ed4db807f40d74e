import type { EventChunk } from "../types.ts";
import { type EventBatch, NUMBER_COLUMNS } from "./eventBatch.ts";

/** Rows of a full chunk. */
export const CHUNK_ROWS = 65_536;

/** Below this a loop copies faster than `set`. */
const SHORT_RUN = 24;

/** Collects events into chunks. */
export class ChunkBuilder {
  private chunk = createChunk(CHUNK_ROWS);
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
    for (const name of NUMBER_COLUMNS) if (batch[name].length > 0) copy(batch[name], chunk[name], begin, end, at);
  }

  /** Hands out what was collected and begins anew; `undefined` if nothing was. */
  flush(): EventChunk | undefined {
    if (this.count === 0) return undefined;
    const done = sliceChunk(this.chunk, 0, this.count);
    this.chunk = createChunk(CHUNK_ROWS);
    this.count = 0;
    return done;
  }
}

function copy<A extends Float64Array | Int8Array>(from: A, to: A, begin: number, end: number, at: number): void {
  if (end - begin > SHORT_RUN) to.set(from.subarray(begin, end), at);
  else for (let row = begin; row < end; row++) to[at++] = from[row]!;
}

/** An empty chunk with room for `capacity` rows; all zero. */
export function createChunk(capacity: number): EventChunk {
  const numbers = (): Float64Array => new Float64Array(capacity);
  return {
    count: capacity,
    kind: new Uint8Array(capacity),
    market: new Uint16Array(capacity),
    side: new Int8Array(capacity),
    timeMs: numbers(),
    price: numbers(),
    size: numbers(),
    open: numbers(),
    high: numbers(),
    low: numbers(),
    rate: numbers(),
    intervalMs: numbers(),
    id: numbers(),
  };
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
  };
}

/** The part of a chunk within fromMs <= time < toMs; `undefined` if there is none. */
export function trimChunk(chunk: EventChunk, fromMs: number, toMs: number): EventChunk | undefined {
  const begin = lowerBound(chunk.timeMs, chunk.count, fromMs);
  const end = lowerBound(chunk.timeMs, chunk.count, toMs);
  return begin < end ? sliceChunk(chunk, begin, end) : undefined;
}

/** First row whose time is not below `time`. */
function lowerBound(times: Float64Array, count: number, time: number): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (times[middle]! < time) low = middle + 1;
    else high = middle;
  }
  return low;
}
