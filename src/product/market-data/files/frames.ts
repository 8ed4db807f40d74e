/** Files of LZ4 and Zstandard: frames one after the other, and frames that readers pass over. */
import { ByteQueue } from "./byteQueue.ts";
import { createFrameReader, type FrameFormat, readU32, ZSTD_MARK } from "./frameReader.ts";

const LZ4_MARK = 0x184d2204;
/** Marks of frames that are passed over: the last four bits are free. */
const SKIPPED_MARK = 0x184d2a50;
const SKIPPED_CHUNK = 1 << 16;

/** The format of a file by its first bytes; `undefined` for any other. */
export function findFrames(head: Uint8Array): FrameFormat | undefined {
  if (head.length < 4) return undefined;
  const mark = readU32(head, 0);
  // Files of frames to pass over, before their first frame, are of Zstandard: its tools write them.
  if (mark === ZSTD_MARK || isSkipped(mark)) return "ZSTD";
  return mark === LZ4_MARK ? "LZ4" : undefined;
}

/**
 * The content of all frames.
 *
 * @throws {DataError} LZ4_TRUNCATED, LZ4_CORRUPT, ZSTD_TRUNCATED, ZSTD_CORRUPT, FORMAT_UNSUPPORTED
 */
export async function* readFrames(
  source: AsyncIterable<Uint8Array>,
  file: string,
  format: FrameFormat,
): AsyncGenerator<Uint8Array> {
  const queue = new ByteQueue(source);
  const reader = createFrameReader(queue, file, format);
  for (;;) {
    const mark = await queue.take(4);
    if (mark.length === 0) return;
    const word = mark.length < 4 ? 0 : readU32(mark, 0);
    if (isSkipped(word)) {
      for (let left = readU32(await reader.take(4), 0); left > 0; left -= SKIPPED_CHUNK) {
        await reader.take(Math.min(left, SKIPPED_CHUNK));
      }
    } else if (word === ZSTD_MARK) {
      const { readZstdFrame } = await import("./zstdFrame.ts");
      yield* readZstdFrame(reader);
    } else if (word === LZ4_MARK) {
      const { readLz4Frame } = await import("./lz4Frame.ts");
      yield* readLz4Frame(reader);
    } else throw reader.corrupt("what follows a frame is none");
  }
}

const isSkipped = (mark: number): boolean => (mark & ~15) >>> 0 === SKIPPED_MARK;
