/** The columns and rows of a Parquet file, as text. One row group at a time is in memory. */
import type { FileHandle } from "node:fs/promises";
import {
  type AsyncBuffer,
  type FileMetaData,
  parquetMetadataAsync,
  type RowGroup,
  type SchemaElement,
} from "hyparquet";
import { DataError, isDataError } from "../errors.ts";
import { openFile } from "../files/readBytes.ts";
import { type CellText, cellTextOf } from "./cellText.ts";
import { PageFault } from "./pageFault.ts";
import { readChunk } from "./readChunk.ts";
import { checkStruct } from "./thrift.ts";

/** Rows of a row group. Writers make groups of 100,000 to a million rows. */
const GROUP_ROWS_MAX = 1 << 23;
const GROUPS_MAX = 100_000;
/** Bytes of the index at the end of a file. */
const FOOTER_BYTES_MAX = 1 << 26;

/** An opened file. */
export interface ParquetFile {
  /** Names of the columns that are no lists or structures, in the order of the file. */
  readonly names: readonly string[];
  /** Columns of times without a zone. */
  readonly localTimes: readonly string[];
  /** Rows as text: the cells of the given columns, in their order; a null is empty. */
  rows(columns: readonly string[], most?: number): AsyncGenerator<string[]>;
}

interface Column {
  readonly name: string;
  readonly element: SchemaElement;
  readonly text: CellText;
}

/** @throws {DataError} PARQUET_CORRUPT, FORMAT_UNSUPPORTED, FILE_MISSING, FILE_UNREADABLE */
export async function openParquet(path: string, file: string): Promise<ParquetFile> {
  const buffer = toBuffer(path, await withFile(path, async (handle) => (await handle.stat()).size));
  const [metadata, columns] = await explained(file, async () => {
    await checkFooter(buffer, file);
    const found = await parquetMetadataAsync(buffer, { geoparquet: false });
    checkGroups(found, buffer.byteLength, file);
    return [found, listColumns(found.schema)] as const;
  });
  return {
    names: columns.map(({ name }) => name),
    localTimes: metadata.schema.filter(isLocalTime).map(({ name }) => name),
    rows: (names, most) => readRows(buffer, metadata, pick(columns, names), file, most ?? Number.POSITIVE_INFINITY),
  };
}

/** The file is open only while it is read, so that rows may be left at any time. */
async function withFile<T>(path: string, work: (handle: FileHandle) => Promise<T>): Promise<T> {
  const handle = await openFile(path);
  return work(handle).finally(() => handle.close());
}

function toBuffer(path: string, size: number): AsyncBuffer {
  const read = async (start: number, end: number): Promise<ArrayBuffer> => {
    const [from, to] = [start < 0 ? Math.max(0, size + start) : start, Math.min(end, size)];
    if (!(from >= 0 && to >= from)) throw new PageFault(`the file refers to bytes ${start} to ${end}`);
    const bytes = new Uint8Array(to - from);
    const { bytesRead } = await withFile(path, (handle) => handle.read(bytes, 0, bytes.length, from));
    if (bytesRead < bytes.length) throw new PageFault("the file ends too early");
    return bytes.buffer;
  };
  return {
    byteLength: size,
    slice(start, end = size) {
      const bytes = read(start, end);
      // The reader begins to read ahead and may end with another fault: a rejection that nothing awaits ends the
      // process.
      bytes.catch(() => undefined);
      return bytes;
    },
  };
}

/** The last eight bytes: the length of the index, and the mark. The index itself states no more than it has. */
async function checkFooter(buffer: AsyncBuffer, file: string): Promise<void> {
  const { byteLength: size } = buffer;
  if (size < 12) throw new PageFault("the file is too short");
  const end = new DataView(await buffer.slice(size - 8, size));
  const mark = end.getUint32(4, true);
  if (mark === 0x45524150) {
    throw new DataError("FORMAT_UNSUPPORTED", "the file is encrypted", { file, hint: "write it without encryption" });
  }
  const length = end.getUint32(0, true);
  if (mark !== 0x31524150) throw new PageFault("the file has no end mark: it was cut off");
  if (length > size - 12 || length > FOOTER_BYTES_MAX)
    throw new PageFault(`its index states a size of ${length} bytes`);
  checkStruct(new Uint8Array(await buffer.slice(size - 8 - length, size - 8)), 0);
}

function checkGroups({ row_groups: groups, num_rows: rows }: FileMetaData, size: number, file: string): void {
  const largest = groups.reduce((most, group) => Math.max(most, Number(group.num_rows)), 0);
  if (largest > GROUP_ROWS_MAX || groups.length > GROUPS_MAX) {
    throw new DataError(
      "FORMAT_UNSUPPORTED",
      `a row group has ${largest} rows, and at most ${GROUP_ROWS_MAX} are read`,
      {
        file,
        hint: "write it with smaller row groups, such as 1000000 rows",
      },
    );
  }
  const sum = groups.reduce((total, group) => total + Number(group.num_rows), 0);
  if (sum !== Number(rows) || groups.some((group) => Number(group.num_rows) < 0)) {
    throw corrupt(file, `its row groups have ${sum} rows, and the index states ${rows}`);
  }
  for (const { columns } of groups) {
    for (const { meta_data: meta } of columns) {
      const from = Number(meta?.dictionary_page_offset || meta?.data_page_offset || 0);
      const bytes = Number(meta?.total_compressed_size ?? 0);
      if (bytes < 0 || from < 0 || from + bytes > size) throw corrupt(file, "a column lies beyond the end of the file");
    }
  }
}

/** Columns of the first level that have one value in a row. */
function listColumns(schema: readonly SchemaElement[]): Column[] {
  const columns: Column[] = [];
  let at = 1;
  const pass = (): void => {
    const { num_children: children = 0 } = schema[at++] ?? {};
    for (let child = 0; child < children && at < schema.length; child++) pass();
  };
  while (at < schema.length) {
    const element = schema[at]!;
    const text =
      (element.num_children ?? 0) > 0 || element.repetition_type === "REPEATED" ? undefined : cellTextOf(element);
    if (text !== undefined) columns.push({ name: element.name, element: withoutMeaning(element), text });
    pass();
  }
  return columns;
}

/** The same column without its logical type, so that numbers are read as they are stored. */
function withoutMeaning(element: SchemaElement): SchemaElement {
  if (element.num_children !== undefined) return element;
  const { converted_type: converted, logical_type: logical, ...rest } = element;
  const isText = converted === "UTF8" || converted === "ENUM" || logical?.type === "STRING" || logical?.type === "ENUM";
  return isText ? { ...rest, converted_type: "UTF8" } : rest;
}

function isLocalTime({ logical_type: logical }: SchemaElement): boolean {
  return logical?.type === "TIMESTAMP" && !logical.isAdjustedToUTC;
}

function pick(columns: readonly Column[], names: readonly string[]): Column[] {
  return names.map((name) => columns.find((column) => column.name === name)!);
}

async function* readRows(
  file: AsyncBuffer,
  metadata: FileMetaData,
  columns: readonly Column[],
  name: string,
  most: number,
): AsyncGenerator<string[]> {
  let from = 0;
  for (const group of metadata.row_groups) {
    const to = Math.min(from + Number(group.num_rows), most);
    if (to <= from) continue;
    const values = await explained(name, () => readGroup(file, group, columns, to - from));
    for (let row = 0; row < to - from; row++) {
      const cells: string[] = [];
      for (let column = 0; column < columns.length; column++) cells.push(columns[column]!.text(values[column]![row]));
      yield cells;
    }
    from = to;
  }
}

/** The values of the first rows of a group, by column. */
async function readGroup(
  file: AsyncBuffer,
  group: RowGroup,
  columns: readonly Column[],
  count: number,
): Promise<unknown[][]> {
  const found: unknown[][] = [];
  for (const { name, element } of columns) {
    const metas = group.columns.flatMap(({ meta_data: meta }) =>
      meta?.path_in_schema.length === 1 && meta.path_in_schema[0] === name ? [meta] : [],
    );
    const [meta] = metas;
    if (meta === undefined || metas.length > 1) {
      throw new PageFault(`a row group has column ${name} ${metas.length} times`);
    }
    const offset = Number(meta.dictionary_page_offset || meta.data_page_offset);
    const bytes = new Uint8Array(await file.slice(offset, offset + Number(meta.total_compressed_size)));
    found.push(readChunk({ element, meta, bytes, offset, rows: Number(group.num_rows) }, count));
  }
  return found;
}

/** Runs a part of the reader; its errors get the name of the file. */
async function explained<T>(file: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (isDataError(error)) throw error;
    const { message } = error as Error;
    const codec = /unsupported compression codec: (\w+)/.exec(message)?.[1];
    if (codec === undefined) throw corrupt(file, message, error as Error);
    throw new DataError("FORMAT_UNSUPPORTED", `the file is packed with ${codec}, which is not read`, {
      file,
      hint: "write it with snappy, gzip, zstd or brotli",
      cause: error,
    });
  }
}

function corrupt(file: string, reason: string, cause?: Error): DataError {
  const { column, offset } = cause instanceof PageFault ? cause : {};
  return new DataError("PARQUET_CORRUPT", `the Parquet file is damaged: ${reason}`, {
    file,
    ...(column === undefined ? {} : { column }),
    ...(offset === undefined ? {} : { offset }),
    hint: "fetch or write the file again",
    ...(cause === undefined ? {} : { cause }),
  });
}
