/** A text of rows and columns: finds its dialect and layout, and reads its rows. */
import { DataError, isDataError } from "../errors.ts";
import type { LoadedMapping } from "../mapping/loadMapping.ts";
import { detectLayout } from "../readers/detectLayout.ts";
import type { Layout } from "../readers/layout.ts";
import { isLeanPath, LEAN } from "../readers/leanPath.ts";
import { PLAIN_TABLES } from "../readers/table.ts";
import { createRowBatch, type RowBatch } from "../scan/rowBatch.ts";
import { ByteScanner, type FaultSink } from "../scan/scanner.ts";
import type { SourceFile } from "../types.ts";
import { HEAD_BYTES, sampleText } from "./fileHead.ts";
import type { BoundSource, FileToBind } from "./openSource.ts";
import { prepend } from "./prepend.ts";

const LF = 10;
const QUOTE = 34;
/** Rows of the head in which a chosen row is looked for. */
const SAMPLE_ROWS = 2000;

/** @throws {DataError} of the layout, or of quotes that do not close */
export async function bindText({
  source,
  mapping,
  file,
  member,
  head,
  rest,
  options,
}: FileToBind): Promise<BoundSource> {
  const dialect = options.dialect ?? (head.subarray(0, HEAD_BYTES).includes(QUOTE) ? "csv" : "scanner");
  const layout = await findLayout(source, member, head, dialect, mapping, file);
  const skipped = layout.skipLines === undefined ? NO_LINES : measureLines(head, layout.skipLines);
  const header = layout.header ? measureLines(head, 1, skipped) : skipped;
  const firstLine = header.lines + 1;
  const body = prepend(head.subarray(header.bytes), rest);

  async function* rows(onFault: FaultSink): AsyncGenerator<RowBatch> {
    if (dialect === "scanner") yield* readScannedRows(layout, body, firstLine, onFault);
    else {
      const { readCsvRows } = await import("../scan/csvRows.ts");
      yield* readCsvRows(layout, body, firstLine, onFault);
    }
  }

  return { layout, dialect, firstLine, rows };
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
  if (batch.count > 0 || batch.passed > 0) yield batch;
}

async function findLayout(
  source: SourceFile,
  member: string | undefined,
  head: Uint8Array,
  dialect: "scanner" | "csv",
  loaded: LoadedMapping | undefined,
  file: string,
): Promise<Layout> {
  if (loaded === undefined) {
    const lean = await findLean(source, member, head, dialect, file);
    if (lean !== undefined) return lean;
    const isPlain = source.layout !== undefined && PLAIN_TABLES.includes(source.layout);
    const known = isPlain ? undefined : await findKnown(source, head, dialect, file);
    return known ?? findPlainTable(head, dialect, file, source);
  }
  const { mapping } = loaded;
  const body = mapping.skipLines === undefined ? head : head.subarray(measureLines(head, mapping.skipLines).bytes);
  const choosesRows = mapping.where !== undefined || mapping.symbol !== undefined;
  const rows = await firstRows(body, mapping.separator ?? ",", dialect, file, choosesRows ? SAMPLE_ROWS : 2);
  const [first = [], second] = rows;
  if (mapping.header === true && second === undefined) {
    throw new DataError("DATA_EMPTY", "the file has a header and no rows", { file });
  }
  const { bindMapping } = await import("../mapping/bindMapping.ts");
  return bindMapping(loaded, {
    file,
    path: source.path,
    names: first,
    rows: mapping.header === true ? rows.slice(1) : rows,
  });
}

async function findLean(
  source: SourceFile,
  member: string | undefined,
  head: Uint8Array,
  dialect: "scanner" | "csv",
  file: string,
): Promise<Layout | undefined> {
  if (source.layout === undefined ? !isLeanPath(source.path) : source.layout !== LEAN) return undefined;
  const { bindLean } = await import("../readers/lean.ts");
  return bindLean({ source, file, member, rows: await firstRows(head, ",", dialect, file, 2) });
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
    rows = await firstRows(head, ",", dialect, file, 2);
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
  const start = { file, source, first, sample, ...(second === undefined ? {} : { second }) };
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
  const [, second] = await firstRows(head, ",", dialect, file, 2);
  if (second === undefined) throw new DataError("DATA_EMPTY", "the file has no rows, or only a header", { file });
  const { noTable } = await import("../draft/draftFile.ts");
  throw noTable(file);
}

/** Cells of the first rows, the header among them. */
async function firstRows(
  head: Uint8Array,
  separator: string,
  dialect: "scanner" | "csv",
  file: string,
  most: number,
): Promise<string[][]> {
  const text = new TextDecoder().decode(head.subarray(0, HEAD_BYTES));
  if (dialect === "scanner") {
    const lines = text.split("\n", most + 1).map((line) => line.replace(/\r$/, ""));
    const rows = lines.slice(0, most).filter((line, index) => line !== "" || index + 1 < lines.length);
    // The last row of the head may be cut.
    if (lines.length <= most && rows.length > 2 && head.length >= HEAD_BYTES) rows.pop();
    return rows.map((line) => line.split(separator).map((cell) => cell.trim()));
  }
  const { parse } = await import("csv-parse/sync");
  try {
    return parse(most > 2 ? sampleText(head) : text, {
      delimiter: separator,
      to: most,
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
