/**
 * The bytes of a source file, decompressed, in chunks: plain, gzip (also several members), lz4, zstd, or one file of a
 * zip. The first bytes of a file decide its format, not its name. Memory does not grow with the file.
 */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { basename } from "node:path";
import { createGunzip, createInflateRaw } from "node:zlib";
import { DataError } from "../errors.ts";
import { splitArchivePath } from "./archivePath.ts";
import { decompress } from "./decompress.ts";
import { findFrames, readFrames } from "./frames.ts";
import { checkMember, readZipMember, type ZipMember } from "./zip.ts";

const CHUNK_BYTES = 1 << 18;

/** An opened source file. */
export interface ByteSource {
  readonly file: string;
  /** Bytes as stored. */
  readonly bytes: number;
  /** Name of the file in its archive. */
  readonly member: string | undefined;
  /** The path of the file as stored. */
  readonly path: string;
  /** The file begins as Parquet does, whose end is read first. */
  readonly isParquet: boolean;
  /** The content. Can be read once. */
  chunks(): AsyncGenerator<Uint8Array>;
  /** SHA-256 of the file as stored, once the content has been read to its end. */
  sha256(): string;
}

/**
 * Opens a source file, or a member of an archive that the path leads into.
 *
 * @param onBytes receives the number of stored bytes read, each time
 * @throws {DataError} FILE_MISSING, FILE_UNREADABLE, ZIP_UNSUPPORTED, ZIP_CORRUPT; reading also GZIP_TRUNCATED,
 * GZIP_CORRUPT, and those of `readFrames`
 */
export async function openBytes(path: string, onBytes?: (count: number) => void): Promise<ByteSource> {
  const { path: stored, member: wanted } = splitArchivePath(path);
  const file = wanted === undefined ? basename(path) : `${basename(stored)}/${wanted}`;
  const handle = await openFile(stored);
  let size: number;
  let head: Uint8Array;
  let member: ZipMember | undefined;
  try {
    ({ size } = await handle.stat());
    head = new Uint8Array(4);
    await handle.read(head, 0, 4, 0);
    if (startsWith(head, [0x50, 0x4b, 3, 4]) || startsWith(head, [0x50, 0x4b, 5, 6])) {
      member = await readZipMember(handle, size, file, wanted);
    }
  } finally {
    await handle.close();
  }
  const hash = createHash("sha256");
  let digest: string | undefined;
  const readAll = (): AsyncGenerator<Uint8Array> =>
    readStored(stored, (chunk) => {
      hash.update(chunk);
      onBytes?.(chunk.length);
    });
  const frames = findFrames(head);
  async function* chunks(): AsyncGenerator<Uint8Array> {
    if (member !== undefined) yield* inflateMember(readAll(), member, file);
    else if (startsWith(head, [0x1f, 0x8b]))
      yield* decompress(readAll(), createGunzip({ chunkSize: CHUNK_BYTES }), file, "GZIP");
    else if (frames !== undefined) yield* readFrames(readAll(), file, frames);
    else yield* readAll();
    digest = hash.digest("hex");
  }
  return {
    file,
    member: member?.name,
    path: stored,
    isParquet: startsWith(head, [0x50, 0x41, 0x52, 0x31]),
    bytes: size,
    chunks,
    sha256() {
      if (digest === undefined) throw new Error("the file has not been read to its end");
      return digest;
    },
  };
}

function startsWith(head: Uint8Array, magic: readonly number[]): boolean {
  return magic.every((byte, index) => head[index] === byte);
}

/** Opens a file to read; errors of the system become `DataError`, and a folder is refused. */
export async function openFile(path: string): Promise<FileHandle> {
  const handle = await openPath(path);
  const stat = await handle.stat();
  if (stat.isFile()) return handle;
  await handle.close();
  const hint = stat.isDirectory() ? `name the files in it, such as ${path.replace(/\/$/, "")}/*.csv.gz` : undefined;
  throw new DataError("FILE_UNREADABLE", "this is not a file", {
    file: path,
    ...(hint === undefined ? {} : { hint }),
  });
}

async function openPath(path: string): Promise<FileHandle> {
  try {
    return await open(path, "r");
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") {
      throw new DataError("FILE_MISSING", "there is no such file", { file: path, cause, hint: "check the path" });
    }
    throw new DataError("FILE_UNREADABLE", `the file cannot be read (${code ?? "unknown"})`, { file: path, cause });
  }
}

async function* readStored(path: string, onChunk: (chunk: Uint8Array) => void): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of createReadStream(path, { highWaterMark: CHUNK_BYTES })) {
      onChunk(chunk as Uint8Array);
      yield chunk as Uint8Array;
    }
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === undefined) throw cause;
    throw new DataError("FILE_UNREADABLE", `the file cannot be read (${code})`, { file: path, cause });
  }
}

async function* inflateMember(
  stored: AsyncGenerator<Uint8Array>,
  member: ZipMember,
  file: string,
): AsyncGenerator<Uint8Array> {
  const data = window(stored, member.from, member.to);
  const content =
    member.method === 0 ? data : decompress(data, createInflateRaw({ chunkSize: CHUNK_BYTES }), file, "ZIP");
  yield* checkMember(content, member, file);
  // The directory after the member belongs to the file's hash.
  for await (const _ of stored);
}

/** The bytes from..to of a stream; leaves the stream open for what follows. */
async function* window(stored: AsyncGenerator<Uint8Array>, from: number, to: number): AsyncGenerator<Uint8Array> {
  let at = 0;
  while (at < to) {
    const next = await stored.next();
    if (next.done === true) return;
    const chunk = next.value;
    const begin = Math.max(0, from - at);
    const end = Math.min(chunk.length, to - at);
    if (end > begin) yield chunk.subarray(begin, end);
    at += chunk.length;
  }
}
