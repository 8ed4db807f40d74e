import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect } from "vitest";
import {
  type DataError,
  type EventSource,
  isDataError,
  type TimeRange,
} from "../../../src/product/market-data/index.ts";

/** A folder for the files of one test file, removed at the end. */
export function createFolder(): {
  path: (name: string) => string;
  write: (name: string, content: string | Uint8Array) => string;
} {
  const folder = mkdtempSync(join(tmpdir(), "perplab-test-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const path = (name: string): string => join(folder, name);
  return {
    path,
    write(name, content) {
      writeFileSync(path(name), content);
      return path(name);
    },
  };
}

/** What a promise fails with. */
export async function catchError(promise: Promise<unknown>): Promise<DataError> {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!isDataError(error)) throw error ?? new Error("nothing was thrown");
  return error;
}

/** The place of an error, for one comparison. */
export async function expectError(
  promise: Promise<unknown>,
  wanted: { code: string; line?: number; column?: string; file?: string; offset?: number },
): Promise<DataError> {
  const error = await catchError(promise);
  const { code, line, column, file, offset } = error;
  expect({ code, line, column, file, offset }).toMatchObject(wanted);
  return error;
}

export interface EventRow {
  kind: number;
  market: string;
  timeMs: number;
  side: number;
  price: number;
  size: number;
  open: number;
  high: number;
  low: number;
  rate: number;
  intervalMs: number;
  id: number;
  flags: number;
}

/** All events of a source, as objects. */
export async function collect(source: EventSource, range?: TimeRange): Promise<EventRow[]> {
  const rows: EventRow[] = [];
  for await (const chunk of source.chunks(range)) {
    for (let row = 0; row < chunk.count; row++) {
      rows.push({
        kind: chunk.kind[row]!,
        market: source.manifest.markets[chunk.market[row]!]!.name,
        timeMs: chunk.timeMs[row]!,
        side: chunk.side[row]!,
        price: chunk.price[row]!,
        size: chunk.size[row]!,
        open: chunk.open[row]!,
        high: chunk.high[row]!,
        low: chunk.low[row]!,
        rate: chunk.rate[row]!,
        intervalMs: chunk.intervalMs[row]!,
        id: chunk.id[row]!,
        flags: chunk.flags[row]!,
      });
    }
  }
  return rows;
}

/** Lines with LF at the end of each. */
export const lines = (...all: readonly string[]): string => `${all.join("\n")}\n`;

/** The keys of a mapping before its streams: a header, and the time in a column `t`. */
const HEAD = (name: string) => `
mapping: ${name}
header: true
time: { column: t, unit: ms }
streams:`;

/**
 * A mapping of an order book, one level a row in the columns t, p, q and s.
 *
 * @param rest its further lines: snapshots, ids
 */
export const mapBook = (...rest: readonly string[]): string => `${HEAD("book")}
  - kind: depth
    price: p
    size: q
    side: { column: s, bid: [b], ask: [a] }
${rest.map((line) => `    ${line}\n`).join("")}`;

/** A column `whole` with y in the rows of a snapshot. */
export const SNAPSHOT_ROWS = "snapshot: { column: whole, yes: [y], no: [n] }";

/** A mapping of quotes in the columns t, u, bp, bq, ap and aq. */
export const QUOTES = `${HEAD("quotes")}
  - kind: quotes
    bid: { price: bp, size: bq }
    ask: { price: ap, size: aq }
    id: u
`;
