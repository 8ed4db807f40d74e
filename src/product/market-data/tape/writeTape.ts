/** Writes a tape: chunks as they come, then the footer. The file appears under its name only when it is complete. */
import { createHash } from "node:crypto";
import { type FileHandle, open, rename, rm } from "node:fs/promises";
import { crc32 } from "node:zlib";
import { nameFile } from "../../tables/nameFile.ts";
import { DataError } from "../errors.ts";
import { isUnused } from "../stream/chunkBuilder.ts";
import type { EventChunk, TapeManifest } from "../types.ts";
import {
  align8,
  type ChunkEntry,
  HEADER_BYTES,
  isLittleEndian,
  measureChunk,
  TAPE_COLUMNS,
  TAPE_MAGIC,
  type TapeColumn,
  type TapeFooter,
  TRAILER_BYTES,
} from "./format.ts";

/**
 * @param chunks   in total order
 * @param manifest asked for when the chunks are done
 * @throws {DataError} FILE_UNREADABLE if the file cannot be written, and whatever the chunks throw; nothing is left
 * then
 */
export async function writeTape(
  path: string,
  chunks: AsyncIterable<EventChunk>,
  manifest: () => TapeManifest,
): Promise<TapeManifest> {
  if (!isLittleEndian()) throw new DataError("TAPE_VERSION", "tapes need a little-endian machine", { file: path });
  const part = `${path}.${process.pid}.part`;
  const handle = await create(part, path);
  let isDone = false;
  try {
    const result = await writeAll(handle, chunks, manifest);
    await handle.sync();
    await handle.close();
    await rename(part, path);
    isDone = true;
    return result;
  } catch (error) {
    throw nameFile(error, path);
  } finally {
    if (!isDone) {
      await handle.close().catch(() => undefined);
      await rm(part, { force: true });
    }
  }
}

async function create(part: string, path: string): Promise<FileHandle> {
  try {
    return await open(part, "w");
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new DataError("FILE_UNREADABLE", `the tape cannot be written (${code ?? "unknown"})`, {
      file: path,
      hint: "check that the folder exists and can be written to",
      cause,
    });
  }
}

async function writeAll(
  handle: FileHandle,
  chunks: AsyncIterable<EventChunk>,
  manifest: () => TapeManifest,
): Promise<TapeManifest> {
  const header = new Uint8Array(HEADER_BYTES);
  header.set(TAPE_MAGIC);
  await writeFully(handle, header);
  const entries: ChunkEntry[] = [];
  let offset = HEADER_BYTES;
  const memory = new ChunkMemory();
  for await (const chunk of chunks) {
    const { bytes, entry } = encodeChunk(chunk, offset, memory);
    await writeFully(handle, bytes);
    entries.push(entry);
    offset += bytes.length;
  }
  const result = manifest();
  const footer: TapeFooter = { manifest: storedForm(result), chunks: entries };
  const text = new TextEncoder().encode(JSON.stringify(footer));
  await writeFully(handle, text);
  await writeFully(handle, encodeTrailer(offset, text, result.version));
  // Only the end of the stream shows whether it has series.
  new DataView(header.buffer).setUint32(8, result.version, true);
  await handle.write(header, 0, header.length, 0);
  return result;
}

/** Up to version 3 a manifest has no count of series: equal sources give the tape that they gave before. */
function storedForm(manifest: TapeManifest): TapeManifest {
  if (manifest.version > 3) return manifest;
  const drop = ({ series: _, ...counts }: TapeManifest["counts"]) => counts as TapeManifest["counts"];
  const markets = manifest.markets.map((market) => ({ ...market, events: drop(market.events) }));
  return { ...manifest, markets, counts: drop(manifest.counts) };
}

async function writeFully(handle: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length; ) {
    const { bytesWritten } = await handle.write(bytes, at, bytes.length - at);
    at += bytesWritten;
  }
}

/** Room for the bytes of one chunk at a time. */
class ChunkMemory {
  #bytes = new Uint8Array(0);

  take(length: number): Uint8Array {
    if (this.#bytes.length < length) this.#bytes = new Uint8Array(length);
    return this.#bytes.subarray(0, length);
  }
}

function encodeChunk(chunk: EventChunk, offset: number, memory: ChunkMemory): { bytes: Uint8Array; entry: ChunkEntry } {
  const rows = chunk.count;
  const constants: Partial<Record<TapeColumn, number>> = {};
  for (const [name] of TAPE_COLUMNS) {
    const value = isUnused(chunk[name]) ? 0 : constantOf(chunk[name], rows);
    if (value !== undefined) constants[name] = value;
  }
  const bytes = memory.take(measureChunk(rows, constants));
  let at = 0;
  for (const [name, width] of TAPE_COLUMNS) {
    if (constants[name] !== undefined) continue;
    const column = chunk[name];
    bytes.set(new Uint8Array(column.buffer, column.byteOffset, rows * width), at);
    const end = at + align8(rows * width);
    bytes.fill(0, at + rows * width, end);
    at = end;
  }
  const entry: ChunkEntry = {
    offset,
    bytes: bytes.length,
    rows,
    fromMs: chunk.timeMs[0]!,
    toMs: chunk.timeMs[rows - 1]!,
    sha256: createHash("sha256").update(bytes).digest("hex"),
    crc32: crc32(bytes),
    constants,
  };
  return { bytes, entry };
}

function constantOf(column: ArrayLike<number>, rows: number): number | undefined {
  const value = column[0]!;
  for (let row = 1; row < rows; row++) if (column[row] !== value) return undefined;
  return value;
}

function encodeTrailer(offset: number, footer: Uint8Array, version: number): Uint8Array {
  const trailer = new Uint8Array(TRAILER_BYTES);
  const view = new DataView(trailer.buffer);
  view.setBigUint64(0, BigInt(offset), true);
  view.setBigUint64(8, BigInt(footer.length), true);
  trailer.set(createHash("sha256").update(footer).digest(), 16);
  view.setUint32(48, version, true);
  trailer.set(TAPE_MAGIC, 56);
  return trailer;
}
