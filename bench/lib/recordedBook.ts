import { type EventChunk, EventKind, type EventSource, NO_EVENTS } from "../../src/product/market-data/types.ts";
import { FOLDER, openCapture } from "../validation/hftbacktest/capture.ts";
import { explainAbsent, findRecorded } from "../validation/recorded.ts";

/**
 * A recorded order book and its trades, in memory; undefined, and a line on the console, where the recording is absent.
 */
export async function readCapture(): Promise<EventSource | undefined> {
  if (findRecorded(FOLDER) === undefined) return explainAbsent(FOLDER);
  const files = await openCapture();
  try {
    return await keepRows(files, () => true);
  } finally {
    await files.close();
  }
}

/** All trades, and the levels that are at most some USD away from the first trade. */
export async function cutBook(data: EventSource, usd: number): Promise<EventSource> {
  let middle = 0;
  return keepRows(data, ({ kind, price }, row) => {
    if (middle === 0 && kind[row] === EventKind.trade) middle = price[row]!;
    return kind[row] === EventKind.trade || Math.abs(price[row]! - middle) <= usd * 1e8;
  });
}

/** A source of one market in memory, with some of its rows. */
async function keepRows(data: EventSource, isKept: (chunk: EventChunk, row: number) => boolean): Promise<EventSource> {
  const chunks: EventChunk[] = [];
  const counts = { ...NO_EVENTS };
  for await (const chunk of data.chunks()) {
    const rows = Array.from({ length: chunk.count }, (_, row) => row).filter((row) => isKept(chunk, row));
    chunks.push(pickRows(chunk, rows));
    for (const row of rows) counts[chunk.kind[row] === EventKind.trade ? "trade" : "depth"]++;
  }
  const events = chunks.reduce((sum, { count }) => sum + count, 0);
  const markets = data.manifest.markets.map((market) => ({ ...market, events: counts }));
  return {
    manifest: { ...data.manifest, events, counts, markets },
    async *chunks() {
      yield* chunks;
    },
    close: () => Promise.resolve(),
  };
}

function pickRows(chunk: EventChunk, rows: readonly number[]): EventChunk {
  const columns = Object.entries(chunk).filter(([name]) => name !== "count") as [string, Float64Array][];
  const picked = columns.map(([name, column]) => {
    const kept = new (column.constructor as Float64ArrayConstructor)(rows.length);
    rows.forEach((row, place) => {
      kept[place] = column[row]!;
    });
    return [name, kept];
  });
  return { ...(Object.fromEntries(picked) as EventChunk), count: rows.length };
}
