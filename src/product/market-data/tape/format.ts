/**
 * The tape: events in columns, in one file.
 *
 *     header   16 bytes   "PERPTAPE", version (u32), zero (u32)
 *     chunks              each: the stored columns one after the other, doubles first, each at a multiple of 8
 *     footer              JSON: the manifest, and for every chunk its place, rows, times, columns, SHA-256 and CRC-32
 *     trailer  64 bytes   offset and length of the footer (u64 each), its SHA-256, version (u32), zero (u32), "PERPTAPE"
 *
 * Little-endian throughout. A column with one value in all rows of a chunk is stored as that value in the footer. Equal
 * sources and options give equal bytes: nothing of the machine, the clock or the path is in the file.
 *
 * Version 2 added the start of each market to the manifest, so that a run reads a tape once, and the CRC-32. Version 3
 * added order books: two kinds of events and the column `flags`. Version 4 added series: a kind of events, and their
 * names in the manifest. Earlier versions are read, too, and a tape without series is written as version 3.
 */
import type { EventChunk, TapeManifest } from "../types.ts";

export const TAPE_MAGIC = new TextEncoder().encode("PERPTAPE");
/** The versions that are read; the manifest of a tape to be written has its own. */
export const TAPE_VERSIONS: readonly number[] = [1, 2, 3, 4];
export const HEADER_BYTES = 16;
export const TRAILER_BYTES = 64;

/** The columns in the order in which they are stored, with the bytes of a value. */
export const TAPE_COLUMNS = [
  ["timeMs", 8],
  ["price", 8],
  ["size", 8],
  ["open", 8],
  ["high", 8],
  ["low", 8],
  ["rate", 8],
  ["intervalMs", 8],
  ["id", 8],
  ["market", 2],
  ["kind", 1],
  ["side", 1],
  ["flags", 1],
] as const satisfies readonly (readonly [keyof EventChunk, number])[];

export type TapeColumn = (typeof TAPE_COLUMNS)[number][0];

/** One chunk in the footer. */
export interface ChunkEntry {
  readonly offset: number;
  readonly bytes: number;
  readonly rows: number;
  readonly fromMs: number;
  readonly toMs: number;
  /** Identifies the content. */
  readonly sha256: string;
  /**
   * Finds damage when the chunk is read, at a third of the cost of SHA-256; undefined in version 1, which checks that.
   */
  readonly crc32?: number;
  /** Columns with one value, and the value. All others are stored, but for `flags` before version 3, which are 0. */
  readonly constants: Readonly<Partial<Record<TapeColumn, number>>>;
}

export interface TapeFooter {
  readonly manifest: TapeManifest;
  readonly chunks: readonly ChunkEntry[];
}

/** Next multiple of 8. */
export function align8(offset: number): number {
  return Math.ceil(offset / 8) * 8;
}

/** Bytes that the stored columns of a chunk take. */
export function measureChunk(rows: number, constants: ChunkEntry["constants"]): number {
  let bytes = 0;
  for (const [name, width] of TAPE_COLUMNS) if (constants[name] === undefined) bytes += align8(rows * width);
  return bytes;
}

/** Typed arrays are in the order of the machine, and the tape is little-endian. */
export function isLittleEndian(): boolean {
  return new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;
}
