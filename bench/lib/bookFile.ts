import { writeFileSync } from "node:fs";
import { BookFlag, EventKind, type EventSource } from "../../src/product/market-data/types.ts";

const COLUMNS = 6;

/**
 * Writes the trades and levels of a market from its first snapshot on as doubles, for programs that know no tape: kind
 * (1 trade, 2 level, 3 level of a snapshot), side, ms, price, size, id of the trade or update.
 * `bench/peers/books/stream.py` reads them.
 *
 * @returns rows written
 */
export async function writeBookFile(data: EventSource, path: string): Promise<number> {
  const rows = new Float64Array(data.manifest.events * COLUMNS);
  let at = 0;
  for await (const { count, kind, flags, side, timeMs, price, size, id } of data.chunks()) {
    for (let row = 0; row < count; row++) {
      const isSnapshot = (flags[row]! & BookFlag.snapshot) !== 0;
      if (at === 0 && !isSnapshot) continue;
      const code = kind[row] === EventKind.trade ? 1 : isSnapshot ? 3 : 2;
      rows.set([code, side[row]!, timeMs[row]!, price[row]! / 1e8, size[row]! / 1e8, id[row]!], at);
      at += COLUMNS;
    }
  }
  writeFileSync(path, new Uint8Array(rows.buffer, 0, at * rows.BYTES_PER_ELEMENT));
  return at / COLUMNS;
}
