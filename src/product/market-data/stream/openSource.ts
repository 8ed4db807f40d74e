/** Opens one source file: finds its dialect and layout from its first bytes, then reads its rows. */
import { DataError, isDataError } from "../errors.ts";
import { openBytes } from "../files/readBytes.ts";
import type { LoadedMapping } from "../mapping/loadMapping.ts";
import { detectLayout } from "../readers/detectLayout.ts";
import type { Layout } from "../readers/layout.ts";
import { PLAIN_TABLES } from "../readers/table.ts";
import { createRowBatch, type RowBatch } from "../scan/rowBatch.ts";
import { ByteScanner, type FaultSink } from "../scan/scanner.ts";
import type { SourceFile } from "../types.ts";
import { HEAD_BYTES, readHead, sampleText } from "./fileHead.ts";
import { isMappingPath } from "./marketName.ts";

const LF = 10;
const QUOTE = 34;

/** A source file whose layout is known. Its rows can be read once. */
export interface OpenedSource {
  readonly file: string;
  readonly bytes: number;
  readonly layout: Layout;
  /** Whether the layout was found in the file rather than stated by the user. */
  readonly isSniffed: boolean;
  readonly dialect: "scanner" | "csv";
  /** Line of the first row. */
  readonly firstLine: number;
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
 * What only mapping files, quoted values or unknown columns need is imported when a file has them: it is most of what
 * reading a file would load.
 *
 * @throws {DataError} of the file, its mapping or its layout
 */
export async function openSource(source: SourceFile, options: OpenOptions = {}): Promise<OpenedSource> {
  const mapping = isMappingPath(source.layout) ? await loadMappingOf(source.layout) : undefined;
  const content = await openBytes(source.path, options.onBytes);
  const chunks = content.chunks();
  const head = await readHead(chunks, content.file);
  const dialect = options.dialect ?? (head.subarray(0, HEAD_BYTES).includes(QUOTE) ? "csv" : "scanner");
  const layout = await findLayout(source, head, dialect, mapping, content.file);
  const skipped = layout.skipLines === undefined ? NO_LINES : measureLines(head, layout.skipLines);
  const header = layout.header ? measureLines(head, 1, skipped) : skipped;
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
          ? (await import("../scan/csvRows.ts")).readCsvRows(layout, body, firstLine, count)
          : readScannedRows(layout, body, firstLine, count);
      for await (const batch of batches) {
        if (layout.timeOfDay !== undefined) addTimeOfDay(batch, layout.timeOfDay);
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
    firstLine,
    rows,
    rowCount: () => rowCount,
    sha256: content.sha256,
  };
}

async function loadMappingOf(path: string): Promise<LoadedMapping> {
  const { loadMapping } = await import("../mapping/loadMapping.ts");
  return loadMapping(path);
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

async function findLayout(
  source: SourceFile,
  head: Uint8Array,
  dialect: "scanner" | "csv",
  loaded: LoadedMapping | undefined,
  file: string,
): Promise<Layout> {
  if (loaded === undefined) {
    const isPlain = source.layout !== undefined && PLAIN_TABLES.includes(source.layout);
    const known = isPlain ? undefined : await findKnown(source, head, dialect, file);
    return known ?? findPlainTable(head, dialect, file, source);
  }
  const { mapping } = loaded;
  const body = mapping.skipLines === undefined ? head : head.subarray(measureLines(head, mapping.skipLines).bytes);
  const [first = [], second] = await firstCells(body, mapping.separator ?? ",", dialect, file);
  if (mapping.header && second === undefined) {
    throw new DataError("DATA_EMPTY", "the file has a header and no rows", { file });
  }
  const { bindMapping } = await import("../mapping/bindMapping.ts");
  return bindMapping(loaded, file, first, mapping.header ? second : first);
}

/** The layout of a known venue: all of those are separated by commas. */
async function findKnown(
  source: SourceFile,
  head: Uint8Array,
  dialect: "scanner" | "csv",
  file: string,
): Promise<Layout | undefined> {
  let rows: string[][];
  try {
    rows = await firstCells(head, ",", dialect, file);
  } catch (error) {
    // Quotes that close only with another separator.
    if (source.layout === undefined && isDataError(error, "DATA_MALFORMED")) return undefined;
    throw error;
  }
  const [first = [], second] = rows;
  const sample = (): string[][] =>
    dialect === "csv"
      ? rows
      : sampleText(head)
          .trimEnd()
          .split(/\r?\n/)
          .map((line) => line.split(","));
  const start = { file, path: source.path, first, sample, ...(second === undefined ? {} : { second }) };
  return detectLayout(start, source.layout);
}

/** @throws {DataError} DATA_LAYOUT, or what is wrong with the quotes of a file */
async function findPlainTable(
  head: Uint8Array,
  dialect: "scanner" | "csv",
  file: string,
  { path, layout }: SourceFile,
): Promise<Layout> {
  const { takeSample } = await import("../draft/sample.ts");
  const { bindPlainTable } = await import("../draft/plainTable.ts");
  const sample = takeSample(sampleText(head));
  if (sample !== undefined) return bindPlainTable(sample, file, path, layout);
  const [, second] = await firstCells(head, ",", dialect, file);
  if (second === undefined) throw new DataError("DATA_EMPTY", "the file has no rows, or only a header", { file });
  const { noTable } = await import("../draft/draftFile.ts");
  throw noTable(file);
}

/** Cells of the first two rows. */
async function firstCells(
  head: Uint8Array,
  separator: string,
  dialect: "scanner" | "csv",
  file: string,
): Promise<string[][]> {
  const text = new TextDecoder().decode(head.subarray(0, HEAD_BYTES));
  if (dialect === "scanner") {
    const lines = text.split("\n", 3).map((line) => line.replace(/\r$/, ""));
    const rows = lines.slice(0, 2).filter((line, index) => line !== "" || index + 1 < lines.length);
    return rows.map((line) => line.split(separator).map((cell) => cell.trim()));
  }
  const { parse } = await import("csv-parse/sync");
  try {
    return parse(text, {
      delimiter: separator,
      to: 2,
      relax_column_count: true,
      record_delimiter: ["\n", "\r\n"],
      trim: true,
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

/** Part of a file from its beginning. */
interface Lines {
  readonly bytes: number;
  readonly lines: number;
}

const NO_LINES: Lines = { bytes: 0, lines: 0 };

/** Bytes and lines up to the end of the next rows; a quoted name may hold line ends. */
function measureLines(head: Uint8Array, rows: number, from: Lines = NO_LINES): Lines {
  let quoted = false;
  let { lines } = from;
  let left = rows;
  for (let at = from.bytes; at < head.length; at++) {
    if (head[at] === QUOTE) quoted = !quoted;
    if (head[at] !== LF) continue;
    lines++;
    if (!quoted) left--;
    if (left === 0) return { bytes: at + 1, lines };
  }
  return { bytes: head.length, lines: lines + 1 };
}

function addTimeOfDay({ values, count }: RowBatch, { date, time }: NonNullable<Layout["timeOfDay"]>): void {
  for (let row = 0; row < count; row++) values[date]![row]! += values[time]![row]!;
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
