/**
 * A frame of Zstandard (RFC 8878). Node unpacks one frame and passes over what follows, so frames are found here, by
 * the sizes of their blocks, and each is given to Node alone.
 */

import type { Transform } from "node:stream";
import * as zlib from "node:zlib";
import { constants } from "node:zlib";
import { decompress } from "./decompress.ts";
import { type FrameReader, readU32, ZSTD_MARK } from "./frameReader.ts";

/** Memory of the largest window that is unpacked: 128 MB, what the zstd tool allows without --long=28 and more. */
const WINDOW_LOG_MAX = 27;
const CHUNK_BYTES = 1 << 18;
/** Bytes of the dictionary's id and of the content's size, by their codes. */
const ID_BYTES = [0, 1, 2, 4] as const;
const SIZE_BYTES = [0, 2, 4, 8] as const;

/** The content of a frame whose mark has been read. */
export async function* readZstdFrame(frame: FrameReader): AsyncGenerator<Uint8Array> {
  const decompressor = createDecompressor();
  if (decompressor === undefined) {
    throw frame.unsupported(
      "this version of Node does not unpack it",
      "use Node 24, or unpack it: zstd --decompress FILE",
    );
  }
  yield* decompress(readPacked(frame), decompressor, frame.file, "ZSTD");
}

/** Node has Zstandard since 22.15 and 23.8. */
function createDecompressor(): Transform | undefined {
  const params = { [constants.ZSTD_d_windowLogMax]: WINDOW_LOG_MAX };
  return (zlib as Partial<typeof zlib>).createZstdDecompress?.({ chunkSize: CHUNK_BYTES, params });
}

/** The bytes of a frame as they are packed. */
async function* readPacked(frame: FrameReader): AsyncGenerator<Uint8Array> {
  const mark = Buffer.alloc(4);
  mark.writeUInt32LE(ZSTD_MARK);
  const flags = await frame.take(1);
  const flag = flags[0]!;
  const isSingle = (flag & 32) !== 0;
  // A single segment has no window, and a size of one byte where none is stated.
  const sizeBytes = isSingle && flag >> 6 === 0 ? 1 : SIZE_BYTES[(flag >> 6) as 0 | 1 | 2 | 3];
  const rest = await frame.take((isSingle ? 0 : 1) + ID_BYTES[(flag & 3) as 0 | 1 | 2 | 3] + sizeBytes);
  if ((flag & 3) !== 0) throw frame.unsupported("it was packed with a dictionary, which the file does not have");
  yield Buffer.concat([mark, flags, rest]);
  for (let isLast = false; !isLast; ) {
    const head = await frame.take(3);
    const word = readU32(Buffer.concat([head, Buffer.alloc(1)]), 0);
    isLast = (word & 1) !== 0;
    const type = (word >> 1) & 3;
    if (type === 3) throw frame.corrupt("a block is of an unknown type");
    yield head;
    // A block of type 1 is one byte that repeats.
    yield await frame.take(type === 1 ? 1 : word >> 3);
  }
  if ((flag & 4) !== 0) yield await frame.take(4);
}
