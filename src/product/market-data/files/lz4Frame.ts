/** A frame of LZ4 (https://github.com/lz4/lz4/blob/dev/doc/lz4_Frame_format.md), block by block, with its checksums. */
import type { IHasher } from "hash-wasm";
import { type FrameReader, readU32 } from "./frameReader.ts";

/** How far back a match may reach. */
const HISTORY = 1 << 16;
/** Largest block by the code in the frame's descriptor. */
const BLOCK_BYTES: Readonly<Record<number, number>> = { 4: 1 << 16, 5: 1 << 18, 6: 1 << 20, 7: 1 << 22 };

/** The content of a frame whose mark has been read. Memory is bounded by a block of 4 MB. */
export async function* readLz4Frame(frame: FrameReader): AsyncGenerator<Uint8Array> {
  // Few files are packed with LZ4, so the others do not load the package.
  const { createXXHash32 } = await import("hash-wasm");
  const [blockHasher, contentHasher] = [await createXXHash32(), await createXXHash32()];
  const descriptor = await readDescriptor(frame, blockHasher);
  const { blockBytes, isIndependent, hasBlockSums, hasContentSum, contentBytes } = descriptor;
  const out = new Uint8Array(HISTORY + blockBytes);
  contentHasher.init();
  let start = 0;
  let total = 0;
  for (;;) {
    const head = readU32(await frame.take(4), 0);
    if (head === 0) break;
    const size = head & 0x7fff_ffff;
    if (size > blockBytes) throw frame.corrupt(`a block has ${size} bytes, and its frame allows ${blockBytes}`);
    const block = await frame.take(size);
    if (hasBlockSums && readU32(await frame.take(4), 0) !== hashOf(blockHasher, block)) {
      throw frame.corrupt("a block differs from its checksum");
    }
    const end = head > 0x7fff_ffff ? copyBlock(block, out, start) : decodeBlock(block, out, start, start + blockBytes);
    if (end < 0) throw frame.corrupt("a block refers to bytes that are not there");
    const content = out.slice(start, end);
    if (hasContentSum) contentHasher.update(content);
    total += content.length;
    yield content;
    if (isIndependent) continue;
    // The history of the next block moves to the front.
    const kept = Math.min(HISTORY, end);
    out.copyWithin(0, end - kept, end);
    start = kept;
  }
  if (hasContentSum && readU32(await frame.take(4), 0) !== numberOf(contentHasher)) {
    throw frame.corrupt("the content differs from its checksum");
  }
  if (contentBytes !== undefined && contentBytes !== BigInt(total)) {
    throw frame.corrupt(`the frame states ${contentBytes} bytes, and has ${total}`);
  }
}

interface Descriptor {
  readonly blockBytes: number;
  readonly isIndependent: boolean;
  readonly hasBlockSums: boolean;
  readonly hasContentSum: boolean;
  readonly contentBytes: bigint | undefined;
}

async function readDescriptor(frame: FrameReader, hasher: IHasher): Promise<Descriptor> {
  const flags = await frame.take(2);
  const [flag, sizes] = [flags[0]!, flags[1]!];
  if (flag >> 6 !== 1 || (flag & 2) !== 0) throw frame.corrupt("the frame is of an unknown version");
  if ((flag & 1) !== 0) throw frame.unsupported("it was packed with a dictionary, which the file does not have");
  const blockBytes = BLOCK_BYTES[(sizes >> 4) & 7];
  if (blockBytes === undefined || (sizes & 0x8f) !== 0) throw frame.corrupt("the frame states an unknown block size");
  const size = (flag & 8) === 0 ? new Uint8Array(0) : await frame.take(8);
  const check = (await frame.take(1))[0]!;
  if (((hashOf(hasher, Buffer.concat([flags, size])) >>> 8) & 0xff) !== check) {
    throw frame.corrupt("the head of the frame differs from its checksum");
  }
  return {
    blockBytes,
    isIndependent: (flag & 32) !== 0,
    hasBlockSums: (flag & 16) !== 0,
    hasContentSum: (flag & 4) !== 0,
    contentBytes: size.length === 0 ? undefined : Buffer.from(size).readBigUInt64LE(),
  };
}

/** XXH32 with seed 0 of some bytes. */
function hashOf(hasher: IHasher, bytes: Uint8Array): number {
  return numberOf(hasher.init().update(bytes));
}

/** The hash of all bytes since the start, as an unsigned number. */
function numberOf(hasher: IHasher): number {
  return Number.parseInt(hasher.digest("hex"), 16);
}

function copyBlock(block: Uint8Array, out: Uint8Array, start: number): number {
  out.set(block, start);
  return start + block.length;
}

/**
 * Decodes a block after the history that precedes `start`.
 *
 * @returns the end of its content; -1 for a block that is damaged
 */
function decodeBlock(block: Uint8Array, out: Uint8Array, start: number, limit: number): number {
  const size = block.length;
  let at = 0;
  let end = start;
  while (at < size) {
    const token = block[at++]!;
    let literals = token >> 4;
    if (literals === 15) {
      for (let byte = 255; byte === 255; literals += byte) {
        if (at >= size) return -1;
        byte = block[at++]!;
      }
    }
    if (literals > size - at || literals > limit - end) return -1;
    for (let last = at + literals; at < last; ) out[end++] = block[at++]!;
    // The last sequence has literals alone.
    if (at === size) return end;
    if (at + 2 > size) return -1;
    const back = block[at]! | (block[at + 1]! << 8);
    at += 2;
    let length = (token & 15) + 4;
    if (length === 19) {
      for (let byte = 255; byte === 255; length += byte) {
        if (at >= size) return -1;
        byte = block[at++]!;
      }
    }
    if (back === 0 || back > end || length > limit - end) return -1;
    for (let from = end - back, last = end + length; end < last; ) out[end++] = out[from++]!;
  }
  return -1;
}
