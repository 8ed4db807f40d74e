/**
 * Format of records in a segment, little-endian:
 *
 *     length u32 · group u32 · crc32 of the body u32 · crc32 of the 12 bytes before u32 · body
 *
 * Records that are made durable together are a group, which ends with a record of its own (`RECORD.sync`). A group is
 * written only when the one before is durable. If a whole record of a later group follows damage, the damaged part was
 * durable, and the file is corrupt. Otherwise the writer was stopped, and the tail is torn.
 */
import { crc32 } from "node:zlib";
import type { ByteWriter } from "../../../ground/collections/byteWriter.ts";

export const FRAME_BYTES = 16;
/** Longest valid body. */
export const BODY_MOST = 1 << 30;

const NOTHING = new Uint8Array(0);
const head = new Uint8Array(FRAME_BYTES);
const headView = new DataView(head.buffer);

/** @param tail the rest of the body, where it is too large to be copied into one piece first */
export function writeFrame(out: ByteWriter, group: number, body: Uint8Array, tail: Uint8Array = NOTHING): void {
  headView.setUint32(0, body.length + tail.length, true);
  headView.setUint32(4, group, true);
  headView.setUint32(8, crc32(tail, crc32(body)), true);
  headView.setUint32(12, crc32(head.subarray(0, 12)), true);
  out.raw(head);
  out.raw(body);
  out.raw(tail);
}

export interface Frame {
  readonly group: number;
  readonly body: Uint8Array;
  /** Offset after it. */
  readonly end: number;
}

/**
 * The whole record at an offset; undefined if there is none.
 *
 * @param view of the same bytes, for a caller that reads many
 */
export function readFrame(
  bytes: Uint8Array,
  at: number,
  view: DataView = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength),
): Frame | undefined {
  if (at + FRAME_BYTES > bytes.length) return undefined;
  const length = view.getUint32(at, true);
  const end = at + FRAME_BYTES + length;
  if (length === 0 || length > BODY_MOST || end > bytes.length) return undefined;
  if (view.getUint32(at + 12, true) !== checksumOfHead(bytes, at)) return undefined;
  const body = bytes.subarray(at + FRAME_BYTES, end);
  if (view.getUint32(at + 8, true) !== crc32(body)) return undefined;
  return { group: view.getUint32(at + 4, true), body, end };
}

/** CRC-32 of each byte; for so few bytes a call of the library takes longer than the sum. */
const TABLE = Int32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte;
  for (let bit = 0; bit < 8; bit++) rest = (rest & 1) === 0 ? rest >>> 1 : (rest >>> 1) ^ 0xedb88320;
  return rest;
});

/** `crc32` of the 12 bytes at an offset. */
function checksumOfHead(bytes: Uint8Array, from: number): number {
  let sum = -1;
  for (let at = from; at < from + 12; at++) sum = TABLE[(sum ^ bytes[at]!) & 255]! ^ (sum >>> 8);
  return ~sum >>> 0;
}

/** Groups that a writer can reach after an offset: a number beyond is random bytes, not a group. */
const GROUPS_AHEAD = 1 << 20;

/**
 * Offset of a whole record of group `group` or later, at any place after an offset; undefined for none.
 *
 * @param most how many later groups are accepted
 */
export function findLaterFrame(
  bytes: Uint8Array,
  from: number,
  group: number,
  most: number = GROUPS_AHEAD,
): number | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = from; at + FRAME_BYTES <= bytes.length; at++) {
    const ahead = view.getUint32(at + 4, true) - group;
    if (ahead < 0 || ahead > most) continue;
    if (at + FRAME_BYTES + view.getUint32(at, true) > bytes.length) continue;
    if (readFrame(bytes, at, view) !== undefined) return at;
  }
  return undefined;
}
