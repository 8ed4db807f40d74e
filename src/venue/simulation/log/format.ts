/**
 * The block log: everything that is needed to make a venue again, and to know that it is the same one. Little-endian.
 *
 *     header  magic "perplog\n" · format u32 · protocol version u32 · text length u32 · crc32 of the text u32 · text
 *     record  length u32 · crc32 of the body u32 · crc32 of the 8 bytes before u32 · body
 *     body    kind u8, then
 *       block (1)  height f64 · time f64 · flags u8 · [parent hash 32] · transactions u32 · each as `codecBinary` writes it
 *                  · crc32 of the block's events u32 · [head of the effects chain 32]
 *       root (2)   height f64 · state root 32
 *
 * The text is the genesis (`genesisText`). The crc of the events finds the block at which a replay first differs; heads
 * and roots prove that it does not. A checksum covers the record's own length: damage in the middle of a file is never
 * taken for its end. Only a file that stops inside a record, or continues in zeros, has a torn tail.
 */
import { crc32 } from "node:zlib";

export const MAGIC = "perplog\n";
export const FORMAT_VERSION = 1;
/** Bytes before the genesis text. */
export const HEADER_BYTES = 24;
/** Bytes before the body of a record. */
export const RECORD_BYTES = 12;
/** Longest body that a reader accepts. A block of a million transactions is smaller. */
export const BODY_MOST = 1 << 30;

export const RECORD = { block: 1, root: 2 } as const;
export const BLOCK_FLAG = { parent: 1, head: 2 } as const;

/** Heights between two recorded heads of the effects chain. Taking a head costs a hash of up to 64 blocks' effects. */
export const HEAD_EVERY = 64;
/** Heights between two recorded state roots (DET-2). */
export const ROOT_EVERY = 1_000;

/** CRC-32 of events, over the bytes of their doubles. */
export function checksumOfEvents(data: Float64Array, from: number, to: number): number {
  return crc32(new Uint8Array(data.buffer, data.byteOffset + from * 8, (to - from) * 8));
}
