/** A zip archive with exactly one member, as exchanges publish them. No zip64, no encryption. */
import type { FileHandle } from "node:fs/promises";
import { crc32 } from "node:zlib";
import { DataError } from "../errors.ts";

/** Where the data of the member lies in the file. */
export interface ZipMember {
  readonly name: string;
  /** 0 stored, 8 deflated. */
  readonly method: number;
  readonly from: number;
  readonly to: number;
  /** Bytes of the content. */
  readonly size: number;
  readonly crc: number;
}

const END_BYTES = 22;
const COMMENT_MAX = 65_535;
const END_SIGNATURE = 0x06054b50;
const ENTRY_SIGNATURE = 0x02014b50;
const LOCAL_SIGNATURE = 0x04034b50;
const ENTRY_BYTES = 46;
const LOCAL_BYTES = 30;
const ZIP64 = 0xffffffff;

/**
 * Finds the one member of an archive.
 *
 * @throws {DataError} ZIP_CORRUPT, ZIP_UNSUPPORTED
 */
export async function readZipMember(handle: FileHandle, size: number, file: string): Promise<ZipMember> {
  const tailFrom = Math.max(0, size - END_BYTES - COMMENT_MAX);
  const tail = await readAt(handle, tailFrom, size - tailFrom, file);
  let end = tail.byteLength - END_BYTES;
  while (end >= 0 && tail.getUint32(end, true) !== END_SIGNATURE) end--;
  if (end < 0) throw corrupt(file, "it has no directory; the file may be cut off", size);
  const entries = tail.getUint16(end + 10, true);
  if (entries !== 1) {
    throw new DataError("ZIP_UNSUPPORTED", `the archive has ${entries} members, and one is expected`, {
      file,
      hint: "unpack it and give the files",
    });
  }
  const directory = tail.getUint32(end + 16, true);
  const entry = await readAt(handle, directory, ENTRY_BYTES, file);
  if (entry.getUint32(0, true) !== ENTRY_SIGNATURE) throw corrupt(file, "its directory is damaged", directory);
  const flags = entry.getUint16(8, true);
  const method = entry.getUint16(10, true);
  const packed = entry.getUint32(20, true);
  const content = entry.getUint32(24, true);
  const local = entry.getUint32(42, true);
  if ((flags & 1) !== 0 || (method !== 0 && method !== 8) || packed === ZIP64 || content === ZIP64 || local === ZIP64) {
    throw new DataError("ZIP_UNSUPPORTED", "the archive is encrypted, zip64, or packed in another way than deflate", {
      file,
      hint: "unpack it and give the file",
    });
  }
  const nameBytes = await readAt(handle, directory + ENTRY_BYTES, entry.getUint16(28, true), file);
  const header = await readAt(handle, local, LOCAL_BYTES, file);
  if (header.getUint32(0, true) !== LOCAL_SIGNATURE) throw corrupt(file, "its member has no header", local);
  const from = local + LOCAL_BYTES + header.getUint16(26, true) + header.getUint16(28, true);
  if (from + packed > size) throw corrupt(file, "its member is cut off", size);
  return {
    name: new TextDecoder().decode(nameBytes),
    method,
    from,
    to: from + packed,
    size: content,
    crc: entry.getUint32(16, true),
  };
}

/** Passes the content through and holds it against the size and the checksum of the directory. */
export async function* checkMember(
  content: AsyncIterable<Uint8Array>,
  member: ZipMember,
  file: string,
): AsyncGenerator<Uint8Array> {
  let size = 0;
  let crc = 0;
  for await (const chunk of content) {
    size += chunk.length;
    crc = crc32(chunk, crc);
    yield chunk;
  }
  if (size !== member.size) throw corrupt(file, `its member has ${size} bytes, not ${member.size}`, member.from);
  if (crc !== member.crc) throw corrupt(file, "the checksum of its member does not hold", member.from);
}

async function readAt(handle: FileHandle, position: number, length: number, file: string): Promise<DataView> {
  const bytes = new Uint8Array(length);
  const { bytesRead } = await handle.read(bytes, 0, length, position);
  if (bytesRead < length) throw corrupt(file, "it is cut off", position + bytesRead);
  return new DataView(bytes.buffer);
}

function corrupt(file: string, what: string, offset: number): DataError {
  return new DataError("ZIP_CORRUPT", `the archive is damaged: ${what}`, {
    file,
    offset,
    hint: "fetch the file again",
  });
}
