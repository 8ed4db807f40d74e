/** What the readers of frames share: exact reads, and errors with the file and the byte. */
import { DataError } from "../errors.ts";
import type { ByteQueue } from "./byteQueue.ts";

export type FrameFormat = "LZ4" | "ZSTD";

/** The first four bytes of a frame of Zstandard. */
export const ZSTD_MARK = 0xfd2fb528;

/** The bytes of a frame, and its errors. */
export interface FrameReader {
  readonly file: string;
  /** Exactly so many bytes. @throws {DataError} LZ4_TRUNCATED, ZSTD_TRUNCATED */
  take(count: number): Promise<Uint8Array>;
  corrupt(reason: string): DataError;
  unsupported(reason: string, hint?: string): DataError;
}

export function createFrameReader(queue: ByteQueue, file: string, format: FrameFormat): FrameReader {
  const name = format === "LZ4" ? "lz4" : "zstd";
  return {
    file,
    async take(count) {
      const bytes = await queue.take(count);
      if (bytes.length === count) return bytes;
      throw new DataError(`${format}_TRUNCATED`, "the compressed file ends before its content does", {
        file,
        offset: queue.offset,
        hint: "fetch the file again",
      });
    },
    corrupt: (reason) =>
      new DataError(`${format}_CORRUPT`, `the compressed file is damaged: ${reason}`, {
        file,
        offset: queue.offset,
        hint: "fetch the file again",
      }),
    unsupported: (reason, hint = `unpack it: ${name} --decompress FILE`) =>
      new DataError("FORMAT_UNSUPPORTED", `the file is packed with ${name}, and ${reason}`, { file, hint }),
  };
}

/** An unsigned number of four bytes, the lowest first. */
export function readU32(bytes: Uint8Array, at: number): number {
  return (bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24)) >>> 0;
}
