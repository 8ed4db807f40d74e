/**
 * The log of a store: consecutive segments, each a file with a header and records. The header's text is JSON: the
 * genesis, and the segment's start. A location in the log is one number, of segment and byte.
 */
import { ByteWriter } from "../../../ground/collections/byteWriter.ts";
import { type Genesis, genesisText } from "../../../protocol/genesis.ts";
import { StoreError } from "./errors.ts";
import { type FileKind, type HeaderFault, isHeaderFault, readHeader, writeHeader } from "./fileHeader.ts";
import type { StoreFile, StoreFiles } from "./files.ts";
import { findLaterFrame } from "./frame.ts";

const SEGMENT: FileKind = { magic: "perpstor", version: 1 };

/** Start of a segment. */
export interface SegmentStart {
  readonly epoch: number;
  /** Arrival number of the first transaction in it. */
  readonly arrival: number;
  /** Height of the last block before it. */
  readonly height: number;
  /** The first group in it. */
  readonly group: number;
}

export interface Segment {
  readonly number: number;
  readonly name: string;
  readonly file: StoreFile;
  readonly genesis: Genesis;
  readonly start: SegmentStart;
  /** Bytes of the header. */
  readonly headerBytes: number;
}

const BYTES_MOST = 2 ** 36;

export const locationOf = (segment: number, at: number): number => segment * BYTES_MOST + at;
export const segmentOf = (location: number): number => Math.floor(location / BYTES_MOST);
export const byteOf = (location: number): number => location % BYTES_MOST;

export const segmentName = (number: number): string => `log-${String(number).padStart(8, "0")}.perpstor`;

/** Numbers of the segments among names, rising. */
export function listSegments(names: readonly string[]): number[] {
  return names
    .map((name) => /^log-(\d{8})\.perpstor$/.exec(name)?.[1])
    .filter((digits) => digits !== undefined)
    .map(Number)
    .sort((a, b) => a - b);
}

/** Creates a segment. It is not durable yet. */
export function createSegment(files: StoreFiles, number: number, genesis: Genesis, start: SegmentStart): Segment {
  const out = new ByteWriter(1 << 14);
  writeHeader(out, SEGMENT, JSON.stringify({ ...start, genesis: genesisText(genesis) }));
  const name = segmentName(number);
  const file = files.open(name, "create");
  file.write(out.view8(), 0);
  return { number, name, file, genesis, start, headerBytes: out.length };
}

/**
 * Reads a whole segment.
 *
 * @param room buffer for its bytes, if large enough; they are valid until its next use
 * @returns undefined if it ends within its header: its writer was stopped while creating it
 * @throws {StoreError} STORE_FORMAT, STORE_VERSION, STORE_CORRUPT
 */
export function readSegment(
  files: StoreFiles,
  number: number,
  room: Uint8Array,
): { segment: Segment; bytes: Uint8Array } | undefined {
  const name = segmentName(number);
  const file = files.open(name, "write");
  const size = file.size();
  const bytes = size <= room.length ? room.subarray(0, size) : new Uint8Array(size);
  file.read(bytes, 0);
  const header = readHeader(bytes, SEGMENT);
  if (isHeaderFault(header)) {
    file.close();
    const place = `${files.path}/${name}`;
    const isUnfinished = header.fault === "short" || bytes.every((byte) => byte === 0);
    // Whole records prove that it is a segment, whatever its first bytes are. A header is durable before the first
    // record.
    const hasRecords = findLaterFrame(bytes, 0, 0, Number.POSITIVE_INFINITY) !== undefined;
    if (hasRecords && (isUnfinished || header.fault === "format")) throw errorOf({ fault: "corrupt" }, place);
    if (!isUnfinished) throw errorOf(header, place);
    return undefined;
  }
  const { genesis, ...start } = JSON.parse(header.text) as SegmentStart & { readonly genesis: string };
  return { segment: { number, name, file, genesis: JSON.parse(genesis), start, headerBytes: header.size }, bytes };
}

function errorOf(fault: HeaderFault, file: string): StoreError {
  switch (fault.fault) {
    case "version":
      return new StoreError(
        "STORE_VERSION",
        `was written for ${fault.what} version ${fault.found}, this is version ${fault.wanted}`,
        { file, hint: "read it with a release that supports that version, or start in another folder" },
      );
    case "corrupt":
      return new StoreError("STORE_CORRUPT", "the header is damaged", {
        file,
        hint: "it was damaged after it was written; take the folder from a copy",
      });
    default:
      return new StoreError("STORE_FORMAT", "is no part of a store", { file, hint: "choose another folder" });
  }
}
