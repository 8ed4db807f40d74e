import { ByteWriter } from "../../../ground/collections/byteWriter.ts";
import type { Genesis } from "../../../protocol/genesis.ts";
import { StoreError } from "./errors.ts";
import type { StoreFiles } from "./files.ts";
import { findLaterFrame, readFrame, writeFrame } from "./frame.ts";
import { Log, type LogOptions } from "./log.ts";
import type { LogEnd } from "./missingBlocks.ts";
import { RECORD, syncBody } from "./records.ts";
import {
  createSegment,
  listSegments,
  locationOf,
  readSegment,
  type Segment,
  type SegmentStart,
  segmentName,
} from "./segments.ts";
import { StoreIndex } from "./storeIndex.ts";

export interface OpenedLog {
  readonly log: Log;
  readonly index: StoreIndex;
  readonly genesis: Genesis;
  /** An unfinished tail that was cut off; undefined where there was none. */
  readonly torn: TornTail | undefined;
}

/** The unfinished last write of a writer. */
export interface TornTail {
  readonly file: string;
  /** Offset of its first byte in the file. */
  readonly offset: number;
  readonly bytes: number;
}

/** Start of a new log. */
export type LogBase = Pick<SegmentStart, "height" | "epoch">;

/** Creates a log in a folder without one. */
export function createLog(files: StoreFiles, genesis: Genesis, base: LogBase, options: LogOptions): OpenedLog {
  const start: SegmentStart = { ...base, arrival: 0, group: 1 };
  const segment = createSegment(files, 0, genesis, start);
  // A first group without a record: a log without any group has lost its content.
  const first = new ByteWriter(64);
  writeFrame(first, start.group, syncBody());
  segment.file.write(first.view8(), segment.headerBytes);
  segment.file.syncNow();
  files.syncFolder();
  const log = new Log(files, [segment], segment.headerBytes + first.length, start.group + 1, options);
  return { log, index: new StoreIndex(start), genesis, torn: undefined };
}

/**
 * Reads the log of a folder from start to end, and cuts off an unfinished last write.
 *
 * @param check receives the log's extent before any file is changed; undefined for no log
 * @returns undefined if there is none
 * @throws {StoreError} STORE_FORMAT, STORE_VERSION; STORE_CORRUPT for damage to durable data
 */
export function openLog(
  files: StoreFiles,
  options: LogOptions,
  check: (end: LogEnd | undefined) => void = () => {},
): OpenedLog | undefined {
  const scan = new Scan(files);
  const numbers = listSegments(files.list());
  for (const [place, number] of numbers.entries()) {
    if (number !== numbers[0]! + place) scan.fail(number, 0, "the segment before it is missing");
    scan.read(number);
  }
  try {
    check(scan.end);
  } catch (error) {
    scan.close();
    throw error;
  }
  return scan.finish(options);
}

/** Reads segments one after another. */
class Scan {
  readonly #files: StoreFiles;
  readonly #segments: Segment[] = [];
  #index: StoreIndex | undefined;
  /** Valid bytes of the last segment. */
  #good = 0;
  #group = 0;
  /** The last record was the end of its group. */
  #closed = true;
  /** Group of the damage that was found: no whole record of it or a later one may follow. */
  #tornGroup: number | undefined;
  #torn: TornTail | undefined;
  #room: Uint8Array = new Uint8Array();

  constructor(files: StoreFiles) {
    this.#files = files;
  }

  read(number: number): void {
    const read = readSegment(this.#files, number, this.#room);
    if (read === undefined) {
      // Its writer was stopped while creating it; it never held durable data.
      this.#tear(number, 0, 0, this.#closed ? this.#group + 1 : this.#group);
      return;
    }
    const { segment, bytes } = read;
    // Allocating memory for each of many large files costs more than reading them.
    if (bytes.length > this.#room.length) this.#room = bytes;
    if (this.#tornGroup !== undefined) {
      const later = findLaterFrame(bytes, segment.headerBytes, this.#tornGroup);
      segment.file.close();
      if (later !== undefined) this.fail(number, later, "the segment before it is damaged");
      this.#tear(number, 0, lastByte(bytes), this.#tornGroup);
      return;
    }
    this.#index ??= new StoreIndex(segment.start);
    const { arrival, group } = segment.start;
    const follows = this.#segments.length === 0 || (this.#closed && group === this.#group + 1);
    if (!follows || arrival !== this.#index.transactions.next) {
      this.fail(number, 0, "it does not follow the segment before it");
    }
    this.#group = group - 1;
    this.#segments.push(segment);
    this.#readRecords(segment, bytes);
  }

  /** Extent of the log; undefined for none. */
  get end(): LogEnd | undefined {
    const first = this.#segments[0];
    if (first === undefined) return undefined;
    const { blocks, highest } = this.#index!;
    const isEmpty = this.#segments.length === 1 && this.#good <= first.headerBytes;
    return { height: blocks.head, highest, isEmpty };
  }

  close(): void {
    for (const { file } of this.#segments) file.close();
  }

  finish(options: LogOptions): OpenedLog | undefined {
    const last = this.#segments.at(-1);
    for (const number of listSegments(this.#files.list())) {
      if (last === undefined || number > last.number) this.#files.remove(segmentName(number));
    }
    if (last === undefined) return undefined;
    if (last.file.size() > this.#good) last.file.truncate(this.#good);
    last.file.syncNow();
    this.#files.syncFolder();
    // The cut-off part had a lower group.
    const log = new Log(this.#files, this.#segments, this.#good, this.#group + 2, options);
    return { log, index: this.#index!, genesis: last.genesis, torn: this.#torn };
  }

  fail(number: number, offset: number, reason: string, cause?: unknown): never {
    throw new StoreError("STORE_CORRUPT", reason, {
      file: `${this.#files.path}/${segmentName(number)}`,
      offset,
      hint: "it was damaged after it was written; take the folder from a copy",
      cause,
    });
  }

  #readRecords(segment: Segment, bytes: Uint8Array): void {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    let at = segment.headerBytes;
    for (;;) {
      const frame = readFrame(bytes, at, view);
      if (frame === undefined || frame.group < this.#group) break;
      this.#group = frame.group;
      this.#closed = frame.body[0] === RECORD.sync;
      try {
        this.#index!.note(locationOf(segment.number, at), frame.body);
      } catch (cause) {
        // The checksum is right, so a writer wrote these bytes: another program, or a defect of this one.
        this.fail(segment.number, at, `a record cannot be read (${(cause as Error).message})`, cause);
      }
      at = frame.end;
    }
    this.#good = at;
    // Unused allocated space.
    if (isZeroFrom(bytes, at)) return;
    const group = this.#closed ? this.#group + 1 : this.#group;
    const later = findLaterFrame(bytes, at + 1, group + 1);
    if (later !== undefined) this.fail(segment.number, at, "a durable record is damaged");
    this.#tear(segment.number, at, lastByte(bytes) - at, group + 1);
  }

  #tear(number: number, offset: number, bytes: number, group: number): void {
    this.#tornGroup ??= group;
    const file = this.#torn?.file ?? `${this.#files.path}/${segmentName(number)}`;
    this.#torn = { file, offset: this.#torn?.offset ?? offset, bytes: (this.#torn?.bytes ?? 0) + bytes };
  }
}

/** Offset after the last byte that is not 0: zeros are unused space. */
function lastByte(bytes: Uint8Array): number {
  let end = bytes.length;
  while (end > 0 && bytes[end - 1] === 0) end--;
  return end;
}

function isZeroFrom(bytes: Uint8Array, at: number): boolean {
  for (let byte = at; byte < bytes.length; byte++) if (bytes[byte] !== 0) return false;
  return true;
}
