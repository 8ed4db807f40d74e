/** Opens a tape: checks its frame at once, each chunk as it is read. */
import { createHash } from "node:crypto";
import type { FileHandle } from "node:fs/promises";
import { crc32 } from "node:zlib";
import { DataError } from "../errors.ts";
import { splitArchivePath } from "../files/archivePath.ts";
import { openFile } from "../files/readBytes.ts";
import { CHUNK_ROWS, trimChunk, unusedColumn } from "../stream/chunkBuilder.ts";
import { type EventChunk, type EventSource, NO_EVENTS, type TimeRange } from "../types.ts";
import {
  align8,
  type ChunkEntry,
  HEADER_BYTES,
  isLittleEndian,
  measureChunk,
  TAPE_COLUMNS,
  TAPE_MAGIC,
  TAPE_VERSIONS,
  type TapeColumn,
  type TapeFooter,
  TRAILER_BYTES,
} from "./format.ts";

/**
 * @throws {DataError} FILE_MISSING, FILE_UNREADABLE, TAPE_CORRUPT with the byte, TAPE_VERSION
 */
export async function openTape(path: string): Promise<EventSource> {
  if (!isLittleEndian()) throw new DataError("TAPE_VERSION", "tapes need a little-endian machine", { file: path });
  const handle = await openFile(path);
  try {
    const footer = await readFooter(handle, path);
    return {
      manifest: footer.manifest,
      chunks: (range) => readChunks(handle, path, footer.chunks, range ?? {}),
      close: () => handle.close(),
    };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** True if the file begins as a tape does. */
export async function isTape(path: string): Promise<boolean> {
  const handle = await openFile(splitArchivePath(path).path);
  try {
    const head = new Uint8Array(TAPE_MAGIC.length);
    await handle.read(head, 0, head.length, 0);
    return TAPE_MAGIC.every((byte, index) => head[index] === byte);
  } catch {
    return false; // a folder, for example: opening it reports the fault
  } finally {
    await handle.close();
  }
}

function corrupt(file: string, offset: number, reason: string): DataError {
  return new DataError("TAPE_CORRUPT", reason, { file, offset, hint: "import the sources again" });
}

async function readAt(
  handle: FileHandle,
  file: string,
  offset: number,
  length: number,
): Promise<Uint8Array<ArrayBuffer>> {
  // Not cleared: every byte is read, or this throws. Not of a pool: the columns are views of it.
  const bytes = Buffer.allocUnsafeSlow(length);
  for (let at = 0; at < length; ) {
    const { bytesRead } = await handle.read(bytes, at, length - at, offset + at);
    if (bytesRead === 0) throw corrupt(file, offset + at, "the tape ends here, in the middle of its content");
    at += bytesRead;
  }
  return bytes;
}

const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

async function readFooter(handle: FileHandle, file: string): Promise<TapeFooter> {
  const { size } = await handle.stat();
  if (size < HEADER_BYTES + TRAILER_BYTES) throw corrupt(file, size, "the file is too short for a tape");
  const header = await readAt(handle, file, 0, HEADER_BYTES);
  if (!TAPE_MAGIC.every((byte, index) => header[index] === byte)) throw corrupt(file, 0, "this is not a tape");
  const version = new DataView(header.buffer).getUint32(8, true);
  checkVersion(file, version);
  const trailerAt = size - TRAILER_BYTES;
  const trailer = await readAt(handle, file, trailerAt, TRAILER_BYTES);
  if (!TAPE_MAGIC.every((byte, index) => trailer[56 + index] === byte)) {
    throw corrupt(file, trailerAt, "the tape has no end mark: it was cut off");
  }
  const view = new DataView(trailer.buffer);
  if (view.getUint32(48, true) !== version) {
    throw corrupt(file, trailerAt + 48, "its beginning and its end have different versions");
  }
  const offset = Number(view.getBigUint64(0, true));
  const length = Number(view.getBigUint64(8, true));
  if (offset < HEADER_BYTES || offset + length !== trailerAt) {
    throw corrupt(file, trailerAt, "the end mark does not point to the footer");
  }
  const text = await readAt(handle, file, offset, length);
  if (sha256(text) !== Buffer.from(trailer.subarray(16, 48)).toString("hex")) {
    throw corrupt(file, offset, "the footer is damaged: its hash differs");
  }
  const footer = withKinds(JSON.parse(new TextDecoder().decode(text)) as TapeFooter, version);
  checkIndex(footer, file, offset);
  return footer;
}

/**
 * Before version 3 there were no order books: no flags, and no count of their events. Before version 4 there was no
 * count of series.
 */
function withKinds(footer: TapeFooter, version: number): TapeFooter {
  if (version >= 4) return footer;
  const { manifest } = footer;
  const markets = manifest.markets.map((market) => ({ ...market, events: { ...NO_EVENTS, ...market.events } }));
  const counts = { ...NO_EVENTS, ...manifest.counts };
  const chunks =
    version >= 3
      ? footer.chunks
      : footer.chunks.map((entry) => ({ ...entry, constants: { ...entry.constants, flags: 0 } }));
  return { manifest: { ...manifest, markets, counts }, chunks };
}

function checkVersion(file: string, version: number): void {
  if (TAPE_VERSIONS.includes(version)) return;
  const known = TAPE_VERSIONS.join(", ");
  throw new DataError("TAPE_VERSION", `the tape has version ${version}, and this program reads the versions ${known}`, {
    file,
    hint: "import the sources again",
  });
}

/** The chunks follow each other without holes, up to the footer, and never go back in time. */
function checkIndex({ chunks, manifest }: TapeFooter, file: string, end: number): void {
  let at = HEADER_BYTES;
  let rows = 0;
  let time = Number.NEGATIVE_INFINITY;
  for (const chunk of chunks) {
    if (chunk.offset !== at || chunk.bytes !== measureChunk(chunk.rows, chunk.constants)) {
      throw corrupt(file, at, "the footer does not describe the chunk here");
    }
    if (chunk.fromMs < time || chunk.toMs < chunk.fromMs) throw corrupt(file, at, "the chunk here goes back in time");
    at += chunk.bytes;
    rows += chunk.rows;
    time = chunk.toMs;
  }
  if (at !== end) throw corrupt(file, at, "the chunks do not reach the footer");
  if (rows !== manifest.events) throw corrupt(file, end, `the chunks have ${rows} rows, not ${manifest.events}`);
}

async function* readChunks(
  handle: FileHandle,
  file: string,
  entries: readonly ChunkEntry[],
  range: TimeRange,
): AsyncGenerator<EventChunk> {
  const fromMs = range.fromMs ?? Number.NEGATIVE_INFINITY;
  const toMs = range.toMs ?? Number.POSITIVE_INFINITY;
  const wanted = entries.filter((entry) => entry.toMs >= fromMs && entry.fromMs < toMs);
  const columns = new ConstantColumns();
  const read = async (entry: ChunkEntry): Promise<EventChunk> => {
    const bytes = await readAt(handle, file, entry.offset, entry.bytes);
    const isWhole = entry.crc32 === undefined ? sha256(bytes) === entry.sha256 : crc32(bytes) === entry.crc32;
    if (!isWhole) throw corrupt(file, entry.offset, "the chunk is damaged: its hash differs");
    return decodeChunk(bytes.buffer, entry, columns);
  };
  // One chunk is read ahead while the consumer works on the one before it.
  let ahead: Promise<EventChunk | Error> | undefined;
  const begin = (entry: ChunkEntry | undefined): Promise<EventChunk | Error> | undefined =>
    entry === undefined ? undefined : read(entry).catch((error: Error) => error);
  ahead = begin(wanted[0]);
  for (let index = 0; index < wanted.length; index++) {
    const chunk = await ahead!;
    if (chunk instanceof Error) throw chunk;
    ahead = begin(wanted[index + 1]);
    const entry = wanted[index]!;
    const isInside = entry.fromMs >= fromMs && entry.toMs < toMs;
    const trimmed = isInside ? chunk : trimChunk(chunk, fromMs, toMs);
    if (trimmed !== undefined) yield trimmed;
  }
}

type Column = Float64Array | Uint16Array | Uint8Array | Int8Array;

/** Columns are views of the bytes as read; those of one value are shared by the chunks of a reader. */
function decodeChunk(buffer: ArrayBuffer, { rows, constants }: ChunkEntry, shared: ConstantColumns): EventChunk {
  const columns: Partial<Record<TapeColumn, Column>> = {};
  let at = 0;
  for (const [name, width] of TAPE_COLUMNS) {
    const constant = constants[name];
    if (constant === undefined) {
      columns[name] = viewColumn(name, width, buffer, at, rows);
      at += align8(rows * width);
    } else columns[name] = shared.get(name, width, constant, rows);
  }
  const { kind, market, side, timeMs, price, size, open, high, low, rate, intervalMs, id, flags } = columns as Omit<
    EventChunk,
    "count"
  >;
  // Every chunk is made with its columns in this order: code that reads chunks is compiled for one shape.
  return { count: rows, kind, market, side, timeMs, price, size, open, high, low, rate, intervalMs, id, flags };
}

function viewColumn(name: TapeColumn, width: number, buffer: ArrayBuffer, offset: number, rows: number): Column {
  if (name === "side") return new Int8Array(buffer, offset, rows);
  if (width === 8) return new Float64Array(buffer, offset, rows);
  return width === 2 ? new Uint16Array(buffer, offset, rows) : new Uint8Array(buffer, offset, rows);
}

/** A view of the zeros that columns without a value share. */
function zeros(name: TapeColumn, width: number, rows: number): Column {
  const { buffer } = unusedColumn(CHUNK_ROWS);
  return viewColumn(name, width, buffer as ArrayBuffer, 0, rows);
}

/** Columns of one value. A chunk is for reading, so chunks can share them. */
class ConstantColumns {
  /** By column: the last value, and as many rows of it as were asked for. */
  readonly #columns = new Map<TapeColumn, { readonly value: number; readonly column: Column }>();

  get(name: TapeColumn, width: number, value: number, rows: number): Column {
    if (value === 0 && rows <= CHUNK_ROWS) return width === 8 ? unusedColumn(rows) : zeros(name, width, rows);
    let known = this.#columns.get(name);
    if (known === undefined || known.value !== value || known.column.length < rows) {
      const column = viewColumn(name, width, new ArrayBuffer(rows * width), 0, rows);
      if (value !== 0) column.fill(value);
      known = { value, column };
      this.#columns.set(name, known);
    }
    return known.column.length === rows ? known.column : known.column.subarray(0, rows);
  }
}
