/** Opens one source file: finds its dialect and layout from its first bytes, then reads its rows. */
import { parse } from "csv-parse/sync";
import { DataError, isDataError } from "../errors.ts";
import { refuseFormat } from "../files/formats.ts";
import { openBytes } from "../files/readBytes.ts";
import { bindMapping } from "../mapping/bindMapping.ts";
import { type LoadedMapping, loadMapping } from "../mapping/loadMapping.ts";
import { detectLayout } from "../readers/detectLayout.ts";
import type { Layout } from "../readers/layout.ts";
import { readCsvRows } from "../scan/csvRows.ts";
import { createRowBatch, type RowBatch } from "../scan/rowBatch.ts";
import { ByteScanner, type FaultSink } from "../scan/scanner.ts";
import type { SourceFile } from "../types.ts";

const HEAD_BYTES = 1 << 16;
const LF = 10;
const QUOTE = 34;
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

/** A source file whose layout is known. Its rows can be read once. */
export interface OpenedSource {
  readonly file: string;
  readonly bytes: number;
  readonly layout: Layout;
  /** Whether the layout was found in the file rather than stated by the user. */
  readonly isSniffed: boolean;
  readonly dialect: "scanner" | "csv";
  rows(onFault: FaultSink): AsyncGenerator<RowBatch>;
  /** Data rows read so far, refused ones included. */
  rowCount(): number;
  sha256(): string;
}

export interface OpenOptions {
  readonly onBytes?: (count: number) => void;
  /** Reads with csv-parse whatever the text looks like. */
  readonly dialect?: "csv";
}

/**
 * @throws {DataError} of the file, its mapping or its layout
 */
export async function openSource(source: SourceFile, options: OpenOptions = {}): Promise<OpenedSource> {
  const mapping = isMappingPath(source.layout) ? await loadMapping(source.layout) : undefined;
  const content = await openBytes(source.path, options.onBytes);
  const chunks = content.chunks();
  const head = await readHead(chunks, content.file);
  const dialect = options.dialect ?? (head.subarray(0, HEAD_BYTES).includes(QUOTE) ? "csv" : "scanner");
  const layout = findLayout(source, head, dialect, mapping, content.file);
  const header = layout.header ? measureHeader(head) : { bytes: 0, lines: 0 };
  const firstLine = header.lines + 1;
  const body = prepend(head.subarray(header.bytes), chunks);
  let rowCount = 0;

  async function* rows(onFault: FaultSink): AsyncGenerator<RowBatch> {
    let refused = 0;
    const count: FaultSink = (line, faults) => {
      const keep = onFault(line, faults);
      if (!keep) refused++;
      return keep;
    };
    try {
      const batches =
        dialect === "csv"
          ? readCsvRows(layout, body, firstLine, count)
          : readScannedRows(layout, body, firstLine, count);
      for await (const batch of batches) {
        rowCount += batch.count;
        yield batch;
      }
      rowCount += refused;
    } catch (error) {
      throw withFile(error, content.file);
    }
  }

  return {
    file: content.file,
    bytes: content.bytes,
    layout,
    isSniffed: source.layout === undefined,
    dialect,
    rows,
    rowCount: () => rowCount,
    sha256: content.sha256,
  };
}

export function isMappingPath(layout: string | undefined): layout is string {
  return layout !== undefined && /\.ya?ml$/i.test(layout);
}

async function* readScannedRows(
  layout: Layout,
  chunks: AsyncIterable<Uint8Array>,
  firstLine: number,
  onFault: FaultSink,
): AsyncGenerator<RowBatch> {
  const scanner = new ByteScanner(layout, firstLine, onFault);
  let batch = createRowBatch(layout);
  for await (const chunk of chunks) {
    scanner.feed(chunk);
    while (scanner.take(batch)) {
      yield batch;
      batch = createRowBatch(layout);
    }
  }
  scanner.finish();
  while (scanner.take(batch)) {
    yield batch;
    batch = createRowBatch(layout);
  }
  if (batch.count > 0) yield batch;
}

/** Enough of the content to see its header and first row, without the byte order mark. */
async function readHead(chunks: AsyncGenerator<Uint8Array>, file: string): Promise<Uint8Array> {
  let head: Uint8Array = new Uint8Array(0);
  while (head.length < HEAD_BYTES) {
    const next = await chunks.next();
    if (next.done === true) break;
    head = Buffer.concat([head, next.value]);
  }
  if (BYTE_ORDER_MARK.every((byte, index) => head[index] === byte)) head = head.subarray(3);
  refuseFormat(head, file);
  return head;
}

function findLayout(
  source: SourceFile,
  head: Uint8Array,
  dialect: "scanner" | "csv",
  mapping: LoadedMapping | undefined,
  file: string,
): Layout {
  const separator = mapping?.mapping.separator ?? ",";
  const [first = [], second] = firstCells(head, separator, dialect, file);
  if (mapping === undefined) {
    return detectLayout({ file, path: source.path, first, ...(second === undefined ? {} : { second }) }, source.layout);
  }
  if (mapping.mapping.header && second === undefined) {
    throw new DataError("DATA_EMPTY", "the file has a header and no rows", { file });
  }
  return bindMapping(mapping, file, first);
}

/** Cells of the first two rows. */
function firstCells(head: Uint8Array, separator: string, dialect: "scanner" | "csv", file: string): string[][] {
  const text = new TextDecoder().decode(head.subarray(0, HEAD_BYTES));
  if (dialect === "scanner") {
    const lines = text.split("\n", 3).map((line) => line.replace(/\r$/, ""));
    const rows = lines.slice(0, 2).filter((line, index) => line !== "" || index + 1 < lines.length);
    return rows.map((line) => line.split(separator));
  }
  try {
    return parse(text, {
      delimiter: separator,
      to: 2,
      relax_column_count: true,
      record_delimiter: ["\n", "\r\n"],
    });
  } catch (cause) {
    const { message, lines } = cause as Error & { readonly lines?: number };
    throw new DataError("DATA_MALFORMED", message, {
      file,
      line: lines ?? 1,
      hint: "quotes must open and close around a whole value",
      cause,
    });
  }
}

/** Bytes and lines of the first row; a quoted name may hold line ends. */
function measureHeader(head: Uint8Array): { bytes: number; lines: number } {
  let quoted = false;
  let lines = 0;
  for (let at = 0; at < head.length; at++) {
    if (head[at] === QUOTE) quoted = !quoted;
    if (head[at] !== LF) continue;
    lines++;
    if (!quoted) return { bytes: at + 1, lines };
  }
  return { bytes: head.length, lines: lines + 1 };
}

async function* prepend(first: Uint8Array, rest: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  if (first.length > 0) yield first;
  yield* rest;
}

/** An error below that knows the line but not the file. */
function withFile(error: unknown, file: string): unknown {
  if (!isDataError(error) || error.file !== undefined) return error;
  const { code, message, line, column, hint } = error;
  const reason = message.replace(/^column [^:]*: /, "");
  return new DataError(code, reason, {
    file,
    ...(line === undefined ? {} : { line }),
    ...(column === undefined ? {} : { column }),
    ...(hint === undefined ? {} : { hint }),
    cause: error,
  });
}
