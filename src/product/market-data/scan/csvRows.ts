/**
 * Rows of quoted text, through csv-parse. Slower than the scanner by an order of magnitude, and its oracle in tests.
 */
import { once } from "node:events";
import { CsvError, parse } from "csv-parse";
import { DataError } from "../errors.ts";
import { widthOf } from "../readers/exactColumns.ts";
import type { Layout } from "../readers/layout.ts";
import { readCells } from "./cells.ts";
import { appendRow, BATCH_ROWS, createRowBatch, type RowBatch } from "./rowBatch.ts";
import type { FaultSink } from "./scanner.ts";

/**
 * Reads rows of a file, header excluded.
 *
 * @param chunks    the bytes of the file after the header
 * @param firstLine line at which they begin
 */
export async function* readCsvRows(
  layout: Layout,
  chunks: AsyncIterable<Uint8Array>,
  firstLine: number,
  onFault: FaultSink,
): AsyncGenerator<RowBatch> {
  const parser = parse({
    delimiter: String.fromCharCode(layout.separator),
    encoding: "utf8",
    record_delimiter: ["\n", "\r\n"],
    relax_column_count: true,
    skip_empty_lines: false,
    // Also around quotes.
    trim: true,
    max_record_size: 1 << 20,
  });
  const feeding = feed(parser, chunks);
  const scratch = new Float64Array(widthOf(layout));
  let batch = createRowBatch(layout);
  let lineBefore = firstLine - 1;
  try {
    for await (const item of parser) {
      const record = item as string[];
      const line = lineBefore + 1;
      // A quoted value may hold line ends. (The parser's own count of lines takes a lone CR for one.)
      lineBefore = line + record.reduce((ends, cell) => ends + cell.split("\n").length - 1, 0);
      const faults = readCells(layout, record, scratch);
      if (faults === undefined) {
        batch.passed++;
        continue;
      }
      if (faults.length > 0 && !onFault(line, faults)) continue;
      appendRow(batch, line, scratch);
      if (batch.count === BATCH_ROWS) {
        yield batch;
        batch = createRowBatch(layout);
      }
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    // The parser runs ahead of the rows taken from it: the line of the fault is its own count.
    const { lines } = error as CsvError & { readonly lines?: number };
    throw new DataError("DATA_MALFORMED", error.message, {
      line: lines === undefined ? lineBefore + 1 : firstLine - 1 + lines,
      hint: "quotes must open and close around a whole value",
      cause: error,
    });
  }
  await feeding;
  if (batch.count > 0 || batch.passed > 0) yield batch;
}

async function feed(parser: ReturnType<typeof parse>, chunks: AsyncIterable<Uint8Array>): Promise<void> {
  try {
    for await (const chunk of chunks) {
      if (parser.destroyed) return;
      if (parser.write(chunk)) continue;
      const waiting = new AbortController();
      const { signal } = waiting;
      await Promise.race([once(parser, "drain", { signal }), once(parser, "close", { signal })]);
      waiting.abort(); // removes the listener of the other event
    }
    parser.end();
  } catch (error) {
    parser.destroy(error as Error);
  }
}
