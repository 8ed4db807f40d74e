import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { crc32 } from "node:zlib";
import { ByteReader } from "../../../ground/collections/byteReader.ts";
import { AccountKeys, readTransaction } from "../../../protocol/codecBinary.ts";
import { formatHex } from "../../../protocol/codecHex.ts";
import type { Bytes32 } from "../../../protocol/fields.ts";
import type { Genesis } from "../../../protocol/genesis.ts";
import { PROTOCOL_VERSION, type Transaction } from "../../../protocol/transaction.ts";
import type { SealedBlock } from "../observer.ts";
import { LogError } from "./errors.ts";
import { BLOCK_FLAG, BODY_MOST, FORMAT_VERSION, HEADER_BYTES, MAGIC, RECORD, RECORD_BYTES } from "./format.ts";

/** A block as the log has it. */
export interface BlockRecord {
  readonly kind: "block";
  /** Byte at which the record starts. */
  readonly offset: number;
  readonly block: SealedBlock;
  /** CRC-32 of the events that the block had. */
  readonly effects: number;
  /** Head of the effects chain after the block, where it was recorded. */
  readonly head: Bytes32 | undefined;
}

/** A state root as the log has it. */
export interface RootRecord {
  readonly kind: "root";
  readonly offset: number;
  readonly height: number;
  readonly root: Bytes32;
}

export type LogRecord = BlockRecord | RootRecord;

/** An unfinished last record: what a crash while writing leaves. Everything before it is whole. */
export interface TornTail {
  /** Byte at which the unfinished record starts. */
  readonly offset: number;
  /** Bytes of it. */
  readonly bytes: number;
}

const BUFFER_BYTES = 1 << 22;

/**
 * Reads a block log from start to end, holding one record at a time.
 *
 * @throws {LogError} LOG_MISSING, LOG_FORMAT, LOG_VERSION on opening; LOG_CORRUPT while reading
 */
export class BlockLogReader {
  readonly path: string;
  readonly genesis: Genesis;
  /** Bytes of the file. */
  readonly bytes: number;
  readonly #file: number;
  readonly #keys = new AccountKeys();
  #buffer = new Uint8Array(BUFFER_BYTES);
  /** Bytes in the buffer, place of the next record in it, and place of the buffer in the file. */
  #filled = 0;
  #at = 0;
  #base = 0;
  #torn: TornTail | undefined;

  constructor(path: string) {
    this.path = path;
    try {
      this.#file = openSync(path, "r");
    } catch (cause) {
      throw new LogError("LOG_MISSING", "cannot be opened", {
        file: path,
        hint: "check the path of the block log",
        cause,
      });
    }
    try {
      const entry = fstatSync(this.#file);
      if (entry.isDirectory()) {
        const hint = "name the file of the block log";
        throw new LogError("LOG_MISSING", "this is a folder, a file was expected", { file: path, hint });
      }
      this.bytes = entry.size;
      this.genesis = this.#readHeader();
    } catch (error) {
      closeSync(this.#file);
      throw error;
    }
  }

  /** Set when `next` has found that the last record is unfinished. */
  get torn(): TornTail | undefined {
    return this.#torn;
  }

  /** Byte at which the next record starts. */
  get offset(): number {
    return this.#base + this.#at;
  }

  close(): void {
    closeSync(this.#file);
  }

  /** The next record; undefined at the end, which may be torn. */
  next(): LogRecord | undefined {
    if (this.#torn !== undefined) return undefined;
    const offset = this.offset;
    const left = this.bytes - offset;
    if (left === 0) return undefined;
    if (left < RECORD_BYTES) return this.#tear(offset);
    this.#need(RECORD_BYTES);
    const view = new DataView(this.#buffer.buffer, this.#at, RECORD_BYTES);
    const length = view.getUint32(0, true);
    if (view.getUint32(8, true) !== crc32(this.#buffer.subarray(this.#at, this.#at + 8)) || length > BODY_MOST) {
      if (this.#isZeroFrom(offset)) return this.#tear(offset);
      throw this.#corrupt(offset, "the frame of a record is damaged");
    }
    if (left < RECORD_BYTES + length) return this.#tear(offset);
    this.#need(RECORD_BYTES + length);
    const body = this.#buffer.subarray(this.#at + RECORD_BYTES, this.#at + RECORD_BYTES + length);
    const expected = new DataView(this.#buffer.buffer, this.#at, RECORD_BYTES).getUint32(4, true);
    if (crc32(body) !== expected) throw this.#corrupt(offset, "the checksum of a record does not fit its bytes");
    this.#at += RECORD_BYTES + length;
    return this.#decode(body, offset);
  }

  *[Symbol.iterator](): Generator<LogRecord> {
    for (let record = this.next(); record !== undefined; record = this.next()) yield record;
  }

  #decode(body: Uint8Array, offset: number): LogRecord {
    const reader = new ByteReader(body);
    try {
      const kind = reader.u8();
      if (kind === RECORD.root) {
        const record = { kind: "root", offset, height: reader.f64(), root: formatHex(reader.raw(32)) } as const;
        if (reader.left() !== 0) throw new RangeError("bytes after the record");
        return record;
      }
      if (kind !== RECORD.block) throw new RangeError(`unknown kind of record ${kind}`);
      return this.#decodeBlock(reader, offset);
    } catch (cause) {
      // The checksum is right, so these bytes were written so: by another writer, or by a fault of perplab.
      throw this.#corrupt(offset, `a record cannot be decoded (${(cause as Error).message})`, cause);
    }
  }

  #decodeBlock(reader: ByteReader, offset: number): BlockRecord {
    const height = reader.f64();
    const timeMs = reader.f64();
    const flags = reader.u8();
    const parentHash = flags & BLOCK_FLAG.parent ? formatHex(reader.raw(32)) : undefined;
    const count = reader.u32();
    const transactions: Transaction[] = [];
    let signatures: (Uint8Array | undefined)[] | undefined;
    for (let at = 0; at < count; at++) {
      const { transaction, signature } = readTransaction(reader, this.#keys);
      transactions.push(transaction);
      if (signature === undefined) continue;
      signatures ??= [];
      signatures[at] = signature;
    }
    const effects = reader.u32();
    const head = flags & BLOCK_FLAG.head ? formatHex(reader.raw(32)) : undefined;
    if (reader.left() !== 0) throw new RangeError("bytes after the record");
    const block = {
      height,
      timeMs,
      transactions,
      ...(parentHash === undefined ? {} : { parentHash }),
      ...(signatures === undefined ? {} : { signatures }),
    };
    return { kind: "block", offset, block, effects, head };
  }

  #readHeader(): Genesis {
    const fail = (reason: string, offset = 0) =>
      new LogError("LOG_FORMAT", reason, { file: this.path, offset, hint: "name a file that --log of a run wrote" });
    if (this.bytes < HEADER_BYTES) throw fail("is too short for the header of a block log");
    this.#need(HEADER_BYTES);
    const view = new DataView(this.#buffer.buffer, 0, HEADER_BYTES);
    if (new TextDecoder("latin1").decode(this.#buffer.subarray(0, 8)) !== MAGIC) {
      throw fail("does not begin as a block log does");
    }
    this.#requireVersion("format", view.getUint32(8, true), FORMAT_VERSION);
    this.#requireVersion("protocol", view.getUint32(12, true), PROTOCOL_VERSION);
    const length = view.getUint32(16, true);
    const checksum = view.getUint32(20, true);
    if (this.bytes < HEADER_BYTES + length) throw fail("ends inside its header", this.bytes);
    this.#need(HEADER_BYTES + length);
    const text = this.#buffer.subarray(HEADER_BYTES, HEADER_BYTES + length);
    if (crc32(text) !== checksum) throw fail("the checksum of the genesis does not fit its bytes", HEADER_BYTES);
    this.#at = HEADER_BYTES + length;
    return JSON.parse(new TextDecoder().decode(text)) as Genesis;
  }

  #requireVersion(what: "format" | "protocol", found: number, wanted: number): void {
    if (found === wanted) return;
    throw new LogError("LOG_VERSION", `was written for ${what} version ${found}, this is version ${wanted}`, {
      file: this.path,
      hint: `read it with a release that speaks ${what} version ${found}`,
    });
  }

  /** Makes `size` bytes from the present place available in the buffer. */
  #need(size: number): void {
    if (this.#at + size <= this.#filled) return;
    const kept = this.#buffer.subarray(this.#at, this.#filled);
    const target = size > this.#buffer.length ? new Uint8Array(size * 2) : this.#buffer;
    target.set(kept);
    this.#buffer = target;
    this.#base += this.#at;
    this.#at = 0;
    this.#filled = kept.length;
    while (this.#filled < target.length) {
      const got = readSync(this.#file, target, this.#filled, target.length - this.#filled, this.#base + this.#filled);
      if (got === 0) break;
      this.#filled += got;
    }
    if (this.#filled < size) throw this.#corrupt(this.#base, "the file became shorter while it was read");
  }

  #isZeroFrom(offset: number): boolean {
    const piece = new Uint8Array(1 << 16);
    for (let at = offset; at < this.bytes; ) {
      const got = readSync(this.#file, piece, 0, piece.length, at);
      if (got === 0) break;
      for (let byte = 0; byte < got; byte++) if (piece[byte] !== 0) return false;
      at += got;
    }
    return true;
  }

  #tear(offset: number): undefined {
    this.#torn = { offset, bytes: this.bytes - offset };
    return undefined;
  }

  #corrupt(offset: number, reason: string, cause?: unknown): LogError {
    return new LogError("LOG_CORRUPT", reason, {
      file: this.path,
      offset,
      hint: "the file was damaged after it was written; take it from a copy",
      cause,
    });
  }
}
