/** Streams through the decompressors of Node, with errors of our own. */
import { PassThrough, type Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { DataError, isDataError } from "../errors.ts";

const CHUNK_BYTES = 1 << 18;

type Container = "GZIP" | "ZIP" | "ZSTD";

/** Pipes chunks through a decompressor. */
export async function* decompress(
  source: AsyncIterable<Uint8Array>,
  decompressor: Transform,
  file: string,
  container: Container,
): AsyncGenerator<Uint8Array> {
  const out = new PassThrough({ highWaterMark: CHUNK_BYTES });
  // The failure, if any, arrives through `out` as well; this promise must not be left without a handler.
  const piping = pipeline(source, decompressor, out).catch((error: unknown) => error);
  try {
    for await (const chunk of out) yield chunk as Uint8Array;
  } catch (error) {
    throw explain(error, file, container);
  } finally {
    out.destroy();
    await piping;
  }
}

function explain(error: unknown, file: string, container: Container): unknown {
  const { code, message } = error as NodeJS.ErrnoException;
  if (isDataError(error) || code === undefined || !/^(Z_|ZSTD_)/.test(code)) return error;
  if (code.endsWith("windowTooLarge")) {
    return new DataError("FORMAT_UNSUPPORTED", "the file needs a window of more than 128 MB to be unpacked", {
      file,
      hint: "unpack it: zstd --decompress --long=31 FILE",
      cause: error,
    });
  }
  if (code === "Z_BUF_ERROR" && container !== "ZIP") {
    return new DataError(`${container}_TRUNCATED`, "the compressed file ends before its content does", {
      file,
      hint: "fetch the file again",
      cause: error,
    });
  }
  return new DataError(`${container}_CORRUPT`, `the compressed file is damaged (${message})`, {
    file,
    hint: "fetch the file again",
    cause: error,
  });
}
