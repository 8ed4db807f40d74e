import { ChunkBuilder } from "../stream/chunkBuilder.ts";
import { createEventBatch } from "../stream/eventBatch.ts";
import { type EventChunk, EventKind, type EventSource } from "../types.ts";
import { pickRows } from "./selectByOpen.ts";

interface LastValue {
  readonly market: number;
  readonly id: number;
  readonly whole: number;
  readonly fraction: number;
  /** Own time of the value. */
  readonly ownMs: number;
}

/**
 * The last value of each series that was known before a time, as events of that time. They keep their own times, so they
 * are later than they were by what lies between.
 */
export async function* carrySeries(
  source: EventSource,
  fromMs: number,
  isWanted: (market: number) => boolean = () => true,
): AsyncGenerator<EventChunk> {
  const last = new Map<number, LastValue>();
  for await (const { count, kind, market, timeMs, intervalMs, price, size, id } of source.chunks({ toMs: fromMs })) {
    for (let row = 0; row < count; row++) {
      if (kind[row] !== EventKind.series || !isWanted(market[row]!)) continue;
      const ownMs = timeMs[row]! - intervalMs[row]!;
      last.set(id[row]!, { market: market[row]!, id: id[row]!, whole: price[row]!, fraction: size[row]!, ownMs });
    }
  }
  const builder = new ChunkBuilder();
  for (const { market, id, whole, fraction, ownMs } of [...last.values()].sort((a, b) => a.id - b.id)) {
    const one = (value: number) => Float64Array.of(value);
    const batch = createEventBatch({
      ...{ count: 1, kind: EventKind.series, market, source: 0, line: one(0), timeMs: one(fromMs) },
      ...{ price: one(whole), size: one(fraction), intervalMs: one(fromMs - ownMs), id: one(id) },
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
