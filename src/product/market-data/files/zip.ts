/** A zip archive, of which one file is read; also zip64. Not encrypted, stored or deflated. */
import type { FileHandle } from "node:fs/promises";
import { crc32 } from "node:zlib";
import { findNearest } from "../../../ground/collections/nearest.ts";
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

const LOCATOR_BYTES = 20;
const LOCATOR_SIGNATURE = 0x07064b50;
const END64_BYTES = 56;
const END64_SIGNATURE = 0x06064b50;
/** Header id of the extra field with the sizes and the place that do not fit 32 bits. */
const EXTRA64 = 1;
/** A field of 32 or 16 bits with this value is in the zip64 form. */
const IN_ZIP64 = 0xffffffff;
const IN_ZIP64_SHORT = 0xffff;

/** A directory of more members is not read. */
const ENTRIES_MAX = 10_000;
const NAMES_SHOWN = 5;

interface Directory {
  readonly entries: number;
  readonly offset: number;
}

/** One file of the directory. */
interface Entry {
  readonly name: string;
  readonly flags: number;
  readonly method: number;
  readonly crc: number;
  readonly packed: number;
  readonly size: number;
  readonly local: number;
}

/**
 * Finds the only file of an archive, or the one with a given name. Folders and what macOS adds (`__MACOSX/`,
 * `.DS_Store`) do not count.
 *
 * @throws {DataError} ZIP_CORRUPT, ZIP_UNSUPPORTED, FILE_MISSING
 */
export async function readZipMember(
  handle: FileHandle,
  size: number,
  file: string,
  wanted?: string,
): Promise<ZipMember> {
  const entries = await readEntries(handle, await findDirectory(handle, size, file), file);
  const all = entries.filter(({ name }) => !/(\/|(^|\/)\.DS_Store)$|^__MACOSX\//.test(name));
  const files = wanted === undefined ? all : all.filter(({ name }) => name === wanted);
  const [entry] = files;
  if (wanted !== undefined && entry === undefined) throw noMember(all, file, wanted);
  if (entry === undefined || files.length !== 1) throw severalMembers(files, file);
  if ((entry.flags & 1) !== 0) {
    throw new DataError("ZIP_UNSUPPORTED", "the archive is encrypted", { file, hint: "unpack it and give the file" });
  }
  if (entry.method !== 0 && entry.method !== 8) {
    throw new DataError(
      "ZIP_UNSUPPORTED",
      `the archive is packed by method ${entry.method}; only deflate can be read`,
      {
        file,
        hint: "unpack it and give the file",
      },
    );
  }
  const header = await readAt(handle, entry.local, LOCAL_BYTES, file);
  if (header.getUint32(0, true) !== LOCAL_SIGNATURE) throw corrupt(file, "its member has no header", entry.local);
  const from = entry.local + LOCAL_BYTES + header.getUint16(26, true) + header.getUint16(28, true);
  if (from + entry.packed > size) throw corrupt(file, "its member is cut off", size);
  const { name, method, crc } = entry;
  return { name, method, from, to: from + entry.packed, size: entry.size, crc };
}

function severalMembers(files: readonly Entry[], file: string): DataError {
  const names = files.map(({ name }) => name);
  if (names.includes("[Content_Types].xml")) {
    return new DataError(
      "FORMAT_UNSUPPORTED",
      "the file is an Excel workbook; only text of rows and columns can be read",
      {
        file,
        hint: "save the sheet as CSV (UTF-8)",
      },
    );
  }
  const found = names.length === 0 ? "no file" : `${names.length} files (${show(names)})`;
  return new DataError("ZIP_UNSUPPORTED", `the archive has ${found}, and one is expected`, {
    file,
    hint: names.length === 0 ? "fetch the file again" : `name one of them: ${file}/${names[0]}`,
  });
}

const show = (names: readonly string[]): string =>
  names.slice(0, NAMES_SHOWN).join(", ") + (names.length > NAMES_SHOWN ? ", …" : "");

function noMember(entries: readonly Entry[], file: string, wanted: string): DataError {
  const names = entries.map(({ name }) => name);
  const nearest = findNearest(wanted, names);
  return new DataError("FILE_MISSING", `the archive has no such file; it has ${show(names)}`, {
    file,
    hint: nearest === undefined ? "check the path within the archive" : `did you mean ${nearest}?`,
  });
}

/** Where the directory of members begins: by the end record, or by that of zip64 where the first points to it. */
async function findDirectory(handle: FileHandle, size: number, file: string): Promise<Directory> {
  const tailFrom = Math.max(0, size - END_BYTES - COMMENT_MAX - LOCATOR_BYTES);
  const tail = await readAt(handle, tailFrom, size - tailFrom, file);
  let end = tail.byteLength - END_BYTES;
  while (end >= 0 && tail.getUint32(end, true) !== END_SIGNATURE) end--;
  if (end < 0) throw corrupt(file, "it has no directory; the file may be cut off", size);
  const entries = tail.getUint16(end + 10, true);
  const offset = tail.getUint32(end + 16, true);
  if (entries !== IN_ZIP64_SHORT && offset !== IN_ZIP64) return { entries, offset };
  const locator = end - LOCATOR_BYTES;
  if (locator < 0 || tail.getUint32(locator, true) !== LOCATOR_SIGNATURE) return { entries, offset };
  const at = toNumber(tail.getBigUint64(locator + 8, true), file);
  const end64 = await readAt(handle, at, END64_BYTES, file);
  if (end64.getUint32(0, true) !== END64_SIGNATURE) throw corrupt(file, "its zip64 directory is damaged", at);
  return {
    entries: toNumber(end64.getBigUint64(32, true), file),
    offset: toNumber(end64.getBigUint64(48, true), file),
  };
}

async function readEntries(handle: FileHandle, { entries, offset }: Directory, file: string): Promise<Entry[]> {
  if (entries > ENTRIES_MAX) {
    throw new DataError("ZIP_UNSUPPORTED", `the archive has ${entries} members, and at most ${ENTRIES_MAX} are read`, {
      file,
      hint: "unpack it and give the files",
    });
  }
  const found: Entry[] = [];
  let at = offset;
  for (let index = 0; index < entries; index++) {
    const fixed = await readAt(handle, at, ENTRY_BYTES, file);
    if (fixed.getUint32(0, true) !== ENTRY_SIGNATURE) throw corrupt(file, "its directory is damaged", at);
    const nameBytes = fixed.getUint16(28, true);
    const extraBytes = fixed.getUint16(30, true);
    const more = await readAt(handle, at + ENTRY_BYTES, nameBytes + extraBytes, file);
    const name = new TextDecoder().decode(new Uint8Array(more.buffer, 0, nameBytes));
    const wide = readExtra64(new DataView(more.buffer, nameBytes), fixed, file, at);
    found.push({
      name,
      flags: fixed.getUint16(8, true),
      method: fixed.getUint16(10, true),
      crc: fixed.getUint32(16, true),
      ...wide,
    });
    at += ENTRY_BYTES + nameBytes + extraBytes + fixed.getUint16(32, true);
  }
  return found;
}

/** Sizes and place of an entry: of its fixed part, or, where that says so, of its extra field, in this order. */
function readExtra64(
  extra: DataView,
  fixed: DataView,
  file: string,
  at: number,
): { size: number; packed: number; local: number } {
  let from = 0;
  while (from + 4 <= extra.byteLength && extra.getUint16(from, true) !== EXTRA64)
    from += 4 + extra.getUint16(from + 2, true);
  let next = from + 4;
  const end = Math.min(extra.byteLength, next + (from + 4 <= extra.byteLength ? extra.getUint16(from + 2, true) : 0));
  const read = (place: number): number => {
    const short = fixed.getUint32(place, true);
    if (short !== IN_ZIP64) return short;
    if (next + 8 > end) throw corrupt(file, "a zip64 size is missing", at);
    next += 8;
    return toNumber(extra.getBigUint64(next - 8, true), file);
  };
  const size = read(24);
  const packed = read(20);
  return { size, packed, local: read(42) };
}

function toNumber(value: bigint, file: string): number {
  if (value > BigInt(Number.MAX_SAFE_INTEGER)) throw corrupt(file, `it states a size of ${value} bytes`, 0);
  return Number(value);
}

/** Passes the content on, and checks it against the size and the checksum in the directory. */
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
