/** Records of a store. The first byte of a body is its kind. */
import { ByteReader } from "../../../ground/collections/byteReader.ts";
import { ByteWriter } from "../../../ground/collections/byteWriter.ts";
import { type AccountKeys, readTransaction, writeTransaction } from "../../../protocol/codecBinary.ts";
import { bytesOfHex, formatHex } from "../../../protocol/codecHex.ts";
import type { Address, Bytes32 } from "../../../protocol/fields.ts";
import { INVALID_NAMES, INVALID_PLACES, type InvalidCode } from "../../../protocol/rejections.ts";
import type { Ending, KeyUse, Taken } from "../ledger.ts";

export const RECORD = {
  /** The end of a group. */
  sync: 1,
  /** A transaction was accepted. */
  take: 2,
  /** A key was bound to a transaction. */
  bind: 3,
  /** A block is to be applied. */
  decide: 4,
  /** Result of a block. */
  result: 5,
  /** A transaction ended without a commit. */
  end: 6,
  /** Blocks above a height were discarded. */
  branch: 7,
  /** Another venue replaced this one. */
  load: 8,
} as const;

const STATUSES = ["expired", "replaced", "dropped"] as const satisfies readonly Ending["status"][];

const body = new ByteWriter(1 << 12);

/** Starts a body; it is valid until the next one. */
export function startBody(kind: number): ByteWriter {
  body.reset();
  body.u8(kind);
  return body;
}

export function syncBody(): Uint8Array {
  return startBody(RECORD.sync).view8();
}

/** kind · id 32 · signer 20 · received f64 · height f64 · validUntil f64 · key text · transaction */
export function takeBody({ id, signed, key, receivedAtMs, sinceHeight }: Taken): Uint8Array {
  const { transaction, signature } = signed;
  const out = startBody(RECORD.take);
  out.raw(bytesOfHex(id));
  out.raw(bytesOfHex(transaction.header.signer));
  out.f64(receivedAtMs);
  out.f64(sinceHeight);
  out.f64(transaction.header.validUntil);
  out.text(key);
  writeTransaction(out, transaction, signature);
  return out.view8();
}

/** The part of a `take` that is needed to find it again. */
export interface TakeHead {
  readonly id: Uint8Array;
  readonly signer: Uint8Array;
  readonly receivedAtMs: number;
  readonly sinceHeight: number;
  readonly validUntil: number;
  /** As bytes. */
  readonly key: Uint8Array;
}

export function readTakeHead(reader: ByteReader): TakeHead {
  const id = reader.raw(32);
  const signer = reader.raw(20);
  const receivedAtMs = reader.f64();
  const sinceHeight = reader.f64();
  const validUntil = reader.f64();
  return { id, signer, receivedAtMs, sinceHeight, validUntil, key: reader.blob() };
}

/** Offsets of the parts of a `take`. */
export const TAKE_AT = { id: 1, signer: 33, receivedAtMs: 53, validUntil: 69, key: 77 } as const;

export function readTake(bytes: Uint8Array, keys: AccountKeys): Taken {
  const reader = new ByteReader(bytes);
  reader.u8();
  const { id, receivedAtMs, sinceHeight, key } = readTakeHead(reader);
  const { transaction, signature } = readTransaction(reader, keys);
  return {
    id: formatHex(id),
    // A copy, because the bytes may belong to a whole block.
    signed: { transaction, signature: signature!.slice() },
    key: Buffer.from(key).toString("latin1"),
    receivedAtMs,
    sinceHeight,
  };
}

/** kind · signer 20 · key text · id 32 · received f64 · validUntil f64 · code u8 */
export function bindBody(signer: Address, key: string, use: KeyUse): Uint8Array {
  const out = startBody(RECORD.bind);
  out.raw(bytesOfHex(signer));
  out.text(key);
  out.raw(bytesOfHex(use.id));
  out.f64(use.receivedAtMs);
  out.f64(use.validUntil);
  out.u8(codeByte(use.code));
  return out.view8();
}

export function readBind(reader: ByteReader): { signer: Address; key: string; use: KeyUse } {
  const signer = formatHex(reader.raw(20));
  const key = reader.text();
  const id = formatHex(reader.raw(32));
  const receivedAtMs = reader.f64();
  const validUntil = reader.f64();
  return { signer, key, use: { id, receivedAtMs, validUntil, code: codeOfByte(reader.u8()) } };
}

/** A block that is to be applied: its transactions by their number in order of arrival. */
export interface Decision {
  readonly height: number;
  readonly timeMs: number;
  readonly arrivals: readonly number[];
}

/** kind · height f64 · time f64 · count u32 · arrivals f64 each */
export function decideBody({ height, timeMs, arrivals }: Decision): Uint8Array {
  const out = startBody(RECORD.decide);
  out.f64(height);
  out.f64(timeMs);
  out.u32(arrivals.length);
  for (const arrival of arrivals) out.f64(arrival);
  return out.view8();
}

export function readDecision(reader: ByteReader): Decision {
  const height = reader.f64();
  const timeMs = reader.f64();
  const count = reader.u32();
  const arrivals: number[] = [];
  for (let at = 0; at < count; at++) arrivals.push(reader.f64());
  return { height, timeMs, arrivals };
}

/** kind · arrival f64 · status u8 · height f64 · reason u8 · flag u8 · [id of the replacement 32] */
export function endBody(arrival: number, { status, atHeight, reason, replacedBy }: Ending): Uint8Array {
  const out = startBody(RECORD.end);
  out.f64(arrival);
  out.u8(STATUSES.indexOf(status));
  out.f64(atHeight);
  out.u8(reasonByte(reason));
  out.u8(replacedBy === undefined ? 0 : 1);
  if (replacedBy !== undefined) out.raw(bytesOfHex(replacedBy));
  return out.view8();
}

export function readEnd(reader: ByteReader): { arrival: number; ending: Omit<Ending, "id"> } {
  const arrival = reader.f64();
  const status = STATUSES[reader.u8()];
  if (status === undefined) throw new RangeError("an unknown status");
  const atHeight = reader.f64();
  const reason = reasonOfByte(reader.u8());
  const replacedBy = reader.u8() === 0 ? undefined : formatHex(reader.raw(32));
  return { arrival, ending: { status, atHeight, reason, replacedBy } };
}

/** kind · height f64 · epoch f64 */
export function branchBody(height: number, epoch: number): Uint8Array {
  const out = startBody(RECORD.branch);
  out.f64(height);
  out.f64(epoch);
  return out.view8();
}

/** A venue that replaced the former one. */
export interface Loading {
  readonly height: number;
  readonly epoch: number;
  /** Head of the effects chain. */
  readonly hash: Bytes32;
}

/** kind · height f64 · epoch f64 · hash 32 · dump */
export function loadBody({ height, epoch, hash }: Loading, dump: Uint8Array): Uint8Array {
  const out = startBody(RECORD.load);
  out.f64(height);
  out.f64(epoch);
  out.raw(bytesOfHex(hash));
  out.raw(dump);
  return out.view8();
}

const LOAD_HEAD_BYTES = 1 + 8 + 8 + 32;

export function readLoad(reader: ByteReader): Loading {
  return { height: reader.f64(), epoch: reader.f64(), hash: formatHex(reader.raw(32)) };
}

/** The dump in the body of a load. */
export function dumpOfLoad(bytes: Uint8Array): Uint8Array {
  return bytes.subarray(LOAD_HEAD_BYTES);
}

function codeByte(code: InvalidCode | undefined): number {
  return code === undefined ? 0 : 1 + INVALID_PLACES[code];
}

function codeOfByte(byte: number): InvalidCode | undefined {
  return byte === 0 ? undefined : INVALID_NAMES[byte - 1];
}

/** Byte of EVICTED, which is no admission code; older stores have no such ending. */
const EVICTED_BYTE = 255;

function reasonByte(reason: Ending["reason"]): number {
  return reason === "EVICTED" ? EVICTED_BYTE : codeByte(reason);
}

function reasonOfByte(byte: number): Ending["reason"] {
  return byte === EVICTED_BYTE ? "EVICTED" : codeOfByte(byte);
}
