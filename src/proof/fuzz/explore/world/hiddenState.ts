import { hash } from "node:crypto";
import type { State } from "../../../../venue/engine/state/state.ts";
import { KEY_TABLES, type KeyTable, type Rule } from "./columns.ts";
import { NumberList } from "./numberList.ts";

/** Rules of columns that a refused transaction may change, with the time and the height of its block. */
const MOVING = new Set<Rule>(["time", "height", "ahead"]);

const isNonce = (column: string) => column.startsWith("nonce");

/** By table: columns that no refused transaction may change. */
const FIXED: readonly (readonly [table: KeyTable, columns: readonly string[]])[] = Object.values(KEY_TABLES).map(
  (table) => [
    table,
    Object.keys(table.definition.columns).filter((name) => !isNonce(name) && !MOVING.has(table.rules[name] ?? "raw")),
  ],
);

/**
 * Digest of the memory of a venue, freed rows, free lists and the places of heaps included; without nonces, times and
 * heights. A block of refused transactions must leave it as it is.
 */
export function digestHidden(state: State): string {
  const out = new NumberList();
  for (const [table, columns] of FIXED) {
    const read = table.read(state) as unknown as Record<string, ArrayLike<number>>;
    const { rows } = table.read(state) as unknown as {
      rows: { high: number; count: number; freeHead: number; link: Int32Array };
    };
    for (const part of [rows.high, rows.count, rows.freeHead]) out.push(part);
    for (let row = 0; row < rows.high; row++) out.push(rows.link[row]!);
    for (const column of columns) for (let row = 0; row < rows.high; row++) out.push(read[column]![row]!);
  }
  const { books, clients, expiries, risk, orderIndex, positionIndex, intentIndex, journal, emptied } = state;
  for (const book of books) {
    for (const part of [book.bestBid, book.bestAsk, book.pages]) out.push(part);
    out.all(book.freePages);
    out.all(book.levels.subarray(0, book.pages));
  }
  for (const text of clients.texts) out.text(text);
  out.all(clients.free);
  for (const { rows, size } of expiries.heaps()) out.all(rows.subarray(0, size));
  risk.heaps.forEach((rows, heap) => void out.all(rows.subarray(0, risk.heapSizes[heap])));
  out.all(risk.dirty);
  out.all(orderIndex.slots);
  out.all(positionIndex.keys);
  for (const part of [intentIndex.rowOf.size, intentIndex.watched.size, journal.on ? 1 : 0, emptied.length])
    out.push(part);
  return hash("sha256", out.bytes(), "base64url");
}
