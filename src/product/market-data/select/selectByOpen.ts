import { isUnused, sliceChunk, unusedColumn } from "../stream/chunkBuilder.ts";
import { type EventChunk, EventKind, type EventSource, type TimeRange } from "../types.ts";

/**
 * The longest bar that archives have is a month. Of bars that open in a range, none closes later than this after it.
 */
const BAR_MOST_MS = 31 * 86_400_000;

/** A chunk of which more runs of rows are wanted is copied. */
const PARTS_MOST = 4;

/** Events of a range, in which a bar has the time of its open. */
export async function* selectByOpen(source: EventSource, range: TimeRange): AsyncGenerator<EventChunk> {
  if (range.fromMs === undefined && range.toMs === undefined) {
    yield* source.chunks();
    return;
  }
  const { fromMs = Number.NEGATIVE_INFINITY, toMs = Number.POSITIVE_INFINITY } = range;
  for await (const chunk of source.chunks({ fromMs, toMs: toMs + BAR_MOST_MS })) {
    const runs = listRunsByOpen(chunk, fromMs, toMs);
    // At an end of the range some rows are left out between others. Parts share the memory of the chunk.
    if (runs.length > 2 * PARTS_MOST) yield takeRuns(chunk, runs);
    else for (let run = 0; run < runs.length; run += 2) yield sliceChunk(chunk, runs[run]!, runs[run + 1]!);
  }
}

/** Rows that are read in one call. */
const ROWS_AT_ONCE = 256;

/**
 * As `listRuns`, of the rows that begin in a range: a bar, or a mark or index of an interval, at its open; any other at
 * its time.
 */
function listRunsByOpen(chunk: EventChunk, fromMs: number, toMs: number): number[] {
  const runs: number[] = [];
  for (let from = 0; from < chunk.count; from += ROWS_AT_ONCE) {
    addRunsByOpen(runs, chunk, from, fromMs, toMs);
  }
  if (runs.length % 2 === 1) runs.push(chunk.count);
  return runs;
}

/**
 * Adds where rows become wanted, and where they are no longer. A run of a range reads every row, so the loop has no
 * calls; and V8 keeps compiled code longer for a function than for one long loop.
 */
function addRunsByOpen(
  runs: number[],
  { count, kind, timeMs, intervalMs }: EventChunk,
  from: number,
  fromMs: number,
  toMs: number,
): void {
  const to = Math.min(count, from + ROWS_AT_ONCE);
  let wasWanted = runs.length % 2 === 1;
  for (let row = from; row < to; row++) {
    const code = kind[row];
    const covers = code === EventKind.bar || code === EventKind.mark || code === EventKind.index;
    const openMs = covers ? timeMs[row]! - intervalMs[row]! : timeMs[row]!;
    const wanted = openMs >= fromMs && openMs < toMs;
    if (wanted === wasWanted) continue;
    runs.push(row);
    wasWanted = wanted;
  }
}

/** The rows that are wanted, as a chunk; undefined without any. */
export function pickRows(
  chunk: EventChunk,
  isWanted: (chunk: EventChunk, row: number) => boolean,
): EventChunk | undefined {
  const runs = listRuns(chunk, isWanted);
  if (runs.length === 0) return undefined;
  return runs.length === 2 ? sliceChunk(chunk, runs[0]!, runs[1]!) : takeRuns(chunk, runs);
}

/** The begin and the end of each run of rows that are wanted. */
function listRuns(chunk: EventChunk, isWanted: (chunk: EventChunk, row: number) => boolean): number[] {
  const runs: number[] = [];
  let wasWanted = false;
  for (let row = 0; row < chunk.count; row++) {
    const wanted = isWanted(chunk, row);
    if (wanted !== wasWanted) runs.push(row);
    wasWanted = wanted;
  }
  if (wasWanted) runs.push(chunk.count);
  return runs;
}

function takeRuns(chunk: EventChunk, runs: readonly number[]): EventChunk {
  let count = 0;
  for (let run = 0; run < runs.length; run += 2) count += runs[run + 1]! - runs[run]!;
  const take = <A extends Uint8Array | Uint16Array | Int8Array | Float64Array>(column: A): A => {
    const taken = column.slice(0, count) as A;
    let at = 0;
    for (let run = 0; run < runs.length; run += 2) {
      const part = column.subarray(runs[run], runs[run + 1]);
      taken.set(part, at);
      at += part.length;
    }
    return taken;
  };
  const number = (column: Float64Array) => (isUnused(column) ? unusedColumn(count) : take(column));
  return {
    count,
    kind: take(chunk.kind),
    market: take(chunk.market),
    side: take(chunk.side),
    timeMs: take(chunk.timeMs),
    price: number(chunk.price),
    size: number(chunk.size),
    open: number(chunk.open),
    high: number(chunk.high),
    low: number(chunk.low),
    rate: number(chunk.rate),
    intervalMs: number(chunk.intervalMs),
    id: number(chunk.id),
    flags: take(chunk.flags),
  };
}
