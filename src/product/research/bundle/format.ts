/**
 * A bundle: one file with a run. Little-endian.
 *
 *     magic "perpbndl" · version u32 · length of the header u32 · header, JSON as UTF-8
 *     length of the blocks u32 · crc32 of the events of each block, u32 each, compressed with gzip
 *     tape, compressed with gzip; nothing where the bundle names its data by hash
 *     SHA-256 of everything before it, 32 bytes
 */
import { createHash, type Hash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { type FileHandle, open, rename, rm, stat } from "node:fs/promises";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip, gunzipSync, gzipSync } from "node:zlib";
import { BUNDLE_VERSION, type BundleHeader } from "./bundle.ts";
import { codeOf } from "./bundledStrategy.ts";
import { BundleError } from "./errors.ts";

const MAGIC = "perpbndl";
const FRAME_BYTES = 16;
const SUM_BYTES = 32;
/** Longest header, and longest list of blocks, that a reader accepts. */
const PART_MOST = 1 << 28;

/** A bundle as it was read; the tape is unpacked when it is asked for. */
export interface ReadBundle {
  readonly path: string;
  readonly header: BundleHeader;
  /** CRC-32 of the events of each block. */
  readonly effects: Uint32Array;
  /** Byte at which the tape begins, and the byte after it. */
  readonly tape: { readonly from: number; readonly to: number };
}

/**
 * Writes a bundle. The file appears under its name when it is complete.
 *
 * @param tape path of the tape; undefined for a bundle that names its data by hash
 */
export async function writeBundle(
  path: string,
  header: BundleHeader,
  effects: Uint32Array,
  tape: string | undefined,
): Promise<void> {
  const part = `${path}.${process.pid}.part`;
  try {
    const hash = createHash("sha256");
    const text = new TextEncoder().encode(JSON.stringify(header));
    const blocks = gzipSync(new Uint8Array(effects.buffer, effects.byteOffset, effects.byteLength));
    const frame = Buffer.alloc(FRAME_BYTES);
    frame.write(MAGIC, "latin1");
    frame.writeUInt32LE(header.version, 8);
    frame.writeUInt32LE(text.length, 12);
    const length = Buffer.alloc(4);
    length.writeUInt32LE(blocks.length);
    const head = Buffer.concat([frame, text, length, blocks]);
    hash.update(head);
    const file = await open(part, "w");
    await file.writeFile(head).finally(() => file.close());
    if (tape !== undefined) {
      const out = createWriteStream(part, { flags: "a" });
      await pipeline(createReadStream(tape), createGzip({ level: 6 }), hashing(hash), out);
    }
    const end = await open(part, "a");
    await end.writeFile(hash.digest()).finally(() => end.close());
    await rename(part, path);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}

function hashing(hash: Hash): Transform {
  return new Transform({
    transform(chunk: Uint8Array, _encoding, done) {
      hash.update(chunk);
      done(null, chunk);
    },
  });
}

/**
 * Reads a bundle and checks that every byte is as it was written.
 *
 * @throws {BundleError} BUNDLE_FORMAT, BUNDLE_DAMAGED; the system's error where the file cannot be read
 */
export async function readBundle(path: string): Promise<ReadBundle> {
  const { size } = await stat(path);
  const file = await open(path);
  try {
    if (size < FRAME_BYTES + 4 + SUM_BYTES) throw noBundle(path, "the file is too short");
    const frame = await readAt(file, 0, FRAME_BYTES);
    if (frame.toString("latin1", 0, 8) !== MAGIC) throw noBundle(path, "it does not begin as a bundle does");
    const version = frame.readUInt32LE(8);
    const { one, several } = BUNDLE_VERSION;
    if (version !== one && version !== several) {
      const reason = `format version ${version}, this perplab reads versions ${one} and ${several}`;
      throw new BundleError("BUNDLE_FORMAT", reason, { place: path, hint: "use the version of perplab that made it" });
    }
    await checkSum(path, file, size);
    const headerBytes = frame.readUInt32LE(12);
    const blocksAt = FRAME_BYTES + headerBytes;
    if (headerBytes > PART_MOST || blocksAt + 4 + SUM_BYTES > size) throw noBundle(path, "its header has no end");
    const text = await readAt(file, FRAME_BYTES, headerBytes);
    const blocksBytes = (await readAt(file, blocksAt, 4)).readUInt32LE(0);
    const from = blocksAt + 4 + blocksBytes;
    if (blocksBytes > PART_MOST || from + SUM_BYTES > size) throw noBundle(path, "its list of blocks has no end");
    const blocks = gunzipSync(await readAt(file, blocksAt + 4, blocksBytes), { maxOutputLength: PART_MOST });
    return {
      path,
      header: readHeader(path, version, text.toString("utf8")),
      effects: Uint32Array.from({ length: blocks.length / 4 }, (_, at) => blocks.readUInt32LE(at * 4)),
      tape: { from, to: size - SUM_BYTES },
    };
  } finally {
    await file.close();
  }
}

/** Unpacks the tape of a bundle. */
export async function unpackTape({ path, tape }: ReadBundle, to: string): Promise<void> {
  await pipeline(createReadStream(path, { start: tape.from, end: tape.to - 1 }), createGunzip(), createWriteStream(to));
}

async function readAt(file: FileHandle, at: number, bytes: number): Promise<Buffer> {
  const buffer = Buffer.alloc(bytes);
  await file.read(buffer, 0, bytes, at);
  return buffer;
}

async function checkSum(path: string, file: FileHandle, size: number): Promise<void> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path, { end: size - SUM_BYTES - 1 }), hash);
  if (hash.digest().equals(await readAt(file, size - SUM_BYTES, SUM_BYTES))) return;
  throw new BundleError("BUNDLE_DAMAGED", "the checksum does not fit its bytes", {
    place: path,
    hint: "the file was changed or cut after it was written; take it from a copy",
  });
}

function readHeader(path: string, version: number, text: string): BundleHeader {
  let header: BundleHeader;
  try {
    header = JSON.parse(text) as BundleHeader;
  } catch (cause) {
    throw noBundle(path, "its header is no JSON", cause);
  }
  const isWhole = header.version === version && (version === BUNDLE_VERSION.one) === !("strategies" in header);
  if (!isWhole) throw noBundle(path, `its header is not one of version ${version}`);
  for (const file of Object.keys(codeOf(header)?.files ?? {})) {
    if (/^[^/\\:]+(\/[^/\\:]+)*$/.test(file) && !file.split("/").some((part) => part === ".." || part === "."))
      continue;
    throw noBundle(path, `${JSON.stringify(file)} is no path inside the bundle`);
  }
  return header;
}

function noBundle(path: string, reason: string, cause?: unknown): BundleError {
  return new BundleError("BUNDLE_FORMAT", reason, {
    place: path,
    hint: "name a file that perplab bundle, or --bundle of a backtest, wrote",
    cause,
  });
}
