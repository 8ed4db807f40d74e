import { setImmediate } from "node:timers/promises";
import { sliceChunk } from "../product/market-data/stream/chunkBuilder.ts";
import type { EventChunk, EventSource } from "../product/market-data/types.ts";

/** Rows that are replayed between two checks of signals and progress. */
const ROWS = 4_096;

/**
 * A source in smaller chunks. Timers and signals get a turn between them, so that a run reports its progress, and stops
 * on a signal. Where chunks end does not affect any result.
 */
export function paceSource(source: EventSource): EventSource {
  return {
    manifest: source.manifest,
    chunks: (range) => pace(source.chunks(range)),
    close: () => source.close(),
  };
}

async function* pace(chunks: AsyncIterable<EventChunk>): AsyncGenerator<EventChunk> {
  for await (const chunk of chunks) {
    for (let from = 0; from < chunk.count; from += ROWS) {
      yield sliceChunk(chunk, from, Math.min(from + ROWS, chunk.count));
      await setImmediate();
    }
  }
}
