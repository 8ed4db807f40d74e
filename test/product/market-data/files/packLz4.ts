/** Frames of LZ4 for tests: greedy matches, all checksums, and the options of the format. */
import { createXXHash32 } from "hash-wasm";

const hasher = await createXXHash32();
/** The checksum of LZ4 frames. */
export const xxHash32 = (bytes: Uint8Array): number => Number.parseInt(hasher.init().update(bytes).digest("hex"), 16);

export interface Lz4Options {
  /** Code of the block size: 4 is 64 KB, 7 is 4 MB. */
  readonly blockCode?: number;
  /** Blocks that do not refer to those before them. */
  readonly isIndependent?: boolean;
  readonly hasSize?: boolean;
}

export function packLz4(content: Uint8Array, options: Lz4Options = {}): Uint8Array {
  const { blockCode = 4, isIndependent = true, hasSize = false } = options;
  const blockBytes = 1 << (8 + 2 * blockCode);
  const size = Buffer.alloc(hasSize ? 8 : 0);
  if (hasSize) size.writeBigUInt64LE(BigInt(content.length));
  const flags = 0b0101_0100 | (isIndependent ? 32 : 0) | (hasSize ? 8 : 0);
  const head = Buffer.concat([Uint8Array.of(flags, blockCode << 4), size]);
  const parts: Uint8Array[] = [u32(0x184d2204), head, Uint8Array.of((xxHash32(head) >>> 8) & 0xff)];
  for (let at = 0; at < content.length; at += blockBytes) {
    const end = Math.min(at + blockBytes, content.length);
    const packed = packBlock(content, isIndependent ? at : Math.max(0, at - 65_535), at, end);
    const isSmaller = packed.length < end - at;
    const block = isSmaller ? packed : content.subarray(at, end);
    parts.push(u32((block.length | (isSmaller ? 0 : 0x8000_0000)) >>> 0), block, u32(xxHash32(block)));
  }
  parts.push(u32(0), u32(xxHash32(content)));
  return new Uint8Array(Buffer.concat(parts));
}

export function u32(value: number): Uint8Array {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

function packBlock(content: Uint8Array, from: number, start: number, end: number): Uint8Array {
  const out: number[] = [];
  const seen = new Map<number, number>();
  const key = (at: number): number => Buffer.from(content.subarray(at, at + 4)).readUInt32LE();
  for (let at = from; at < start && at + 4 <= end; at++) seen.set(key(at), at);
  let literals = start;
  // The last five bytes are literals, and no match begins within the last twelve.
  for (let at = start; at < end - 12; ) {
    const found = seen.get(key(at));
    seen.set(key(at), at);
    if (found === undefined || at - found > 65_535) {
      at++;
      continue;
    }
    let length = 4;
    while (at + length < end - 5 && content[found + length] === content[at + length]) length++;
    putSequence(out, content.subarray(literals, at), at - found, length);
    at += length;
    literals = at;
  }
  putSequence(out, content.subarray(literals, end), 0, 0);
  return Uint8Array.from(out);
}

function putSequence(out: number[], literals: Uint8Array, back: number, length: number): void {
  const match = back === 0 ? 0 : length - 4;
  out.push((Math.min(15, literals.length) << 4) | Math.min(15, match));
  putLength(out, literals.length);
  for (const byte of literals) out.push(byte);
  if (back === 0) return;
  out.push(back & 0xff, back >> 8);
  putLength(out, match);
}

function putLength(out: number[], length: number): void {
  if (length < 15) return;
  let rest = length - 15;
  for (; rest >= 255; rest -= 255) out.push(255);
  out.push(rest);
}
