import { ChunkBuilder } from "../stream/chunkBuilder.ts";
import { createEventBatch } from "../stream/eventBatch.ts";
import { type EventChunk, EventKind, type EventSource } from "../types.ts";
import { pickRows } from "./selectByOpen.ts";

interface LastValue {
  readonly market: number;
  readonly id: number;
  readonly whole: number;
  readonly fraction: number;
  /** Own time of the value, and when it was known. */
  readonly ownMs: number;
  readonly knownMs: number;
}

export interface CarryOptions {
  /** Default: all markets. */
  readonly isWanted?: (market: number) => boolean;
  /** The events keep the times at which they were known. Default: they are known at the time that is given. */
  readonly keepsTimes?: boolean;
}

/** The last value of each series that was known before a time, as events. They keep their own times. */
export async function* carrySeries(
  source: EventSource,
  fromMs: number,
  { isWanted = () => true, keepsTimes = false }: CarryOptions = {},
): AsyncGenerator<EventChunk> {
  const last = new Map<number, LastValue>();
  for await (const { count, kind, market, timeMs, intervalMs, price, size, id } of source.chunks({ toMs: fromMs })) {
    for (let row = 0; row < count; row++) {
      if (kind[row] !== EventKind.series || !isWanted(market[row]!)) continue;
      const ownMs = timeMs[row]! - intervalMs[row]!;
      const place = { market: market[row]!, id: id[row]! };
      last.set(id[row]!, { ...place, whole: price[row]!, fraction: size[row]!, ownMs, knownMs: timeMs[row]! });
    }
  }
  const builder = new ChunkBuilder();
  const order = (a: LastValue, b: LastValue) => (keepsTimes ? a.knownMs - b.knownMs : 0) || a.id - b.id;
  for (const { market, id, whole, fraction, ownMs, knownMs } of [...last.values()].sort(order)) {
    const one = (value: number) => Float64Array.of(value);
    const atMs = keepsTimes ? knownMs : fromMs;
    const batch = createEventBatch({
      ...{ count: 1, kind: EventKind.series, market, source: 0, line: one(0), timeMs: one(atMs) },
      ...{ price: one(whole), size: one(fraction), intervalMs: one(atMs - ownMs), id: one(id) },
    });
    if (builder.room === 0) yield builder.flush()!;
    builder.append(batch, 0, 1);
  }
  const rest = builder.flush();
  if (rest !== undefined) yield rest;
}

/** A chunk without its series, and its series alone; undefined for a part without rows. */
export function splitSeries(chunk: EventChunk): {
  readonly others: EventChunk | undefined;
  readonly series: EventChunk | undefined;
} {
  const isSeries = ({ kind }: EventChunk, row: number) => kind[row] === EventKind.series;
  return {
    others: pickRows(chunk, (rows, row) => !isSeries(rows, row)),
    series: pickRows(chunk, isSeries),
  };
}
