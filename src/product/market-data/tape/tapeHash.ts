import { DataError } from "../errors.ts";
import { openFile } from "../files/readBytes.ts";
import { TAPE_MAGIC, TRAILER_BYTES } from "./format.ts";

/**
 * SHA-256, as hex, of a tape's index. The index has the manifest and the hash of every chunk, and `openTape` checks
 * both, so the hash names the whole content.
 *
 * @throws {DataError} FILE_MISSING, FILE_UNREADABLE, TAPE_CORRUPT
 */
export async function readTapeHash(path: string): Promise<string> {
  const handle = await openFile(path);
  try {
    const { size } = await handle.stat();
    const trailer = new Uint8Array(TRAILER_BYTES);
    const { bytesRead } =
      size < TRAILER_BYTES ? { bytesRead: 0 } : await handle.read(trailer, 0, TRAILER_BYTES, size - TRAILER_BYTES);
    const isWhole = bytesRead === TRAILER_BYTES && TAPE_MAGIC.every((byte, index) => trailer[56 + index] === byte);
    if (isWhole) return Buffer.from(trailer.subarray(16, 48)).toString("hex");
    throw new DataError("TAPE_CORRUPT", "the tape has no end mark: it was cut off", {
      file: path,
      offset: Math.max(0, size - TRAILER_BYTES),
      hint: "import the sources again",
    });
  } finally {
    await handle.close();
  }
}
