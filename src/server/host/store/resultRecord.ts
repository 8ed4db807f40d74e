/**
 * Result of a block, so that it can be reported again without applying it:
 *
 *     kind · height f64 · hash 32 · parent 32 · flag u8 · [state root 32] · receipts u32 · of each: code i32 as u32,
 *     events from u32, to u32 · numbers and results as JSON text · texts as JSON text · events as doubles
 */
import type { ByteReader } from "../../../ground/collections/byteReader.ts";
import { bytesOfHex, formatHex } from "../../../protocol/codecHex.ts";
import type { Bytes32 } from "../../../protocol/fields.ts";
import type { ActionResult, Receipt } from "../../../protocol/receipt.ts";
import {
  INVALID_NAMES,
  INVALID_PLACES,
  type InvalidCode,
  REJECTION_NAMES,
  REJECTION_PLACES,
  type RejectionCode,
  type RejectionNumbers,
} from "../../../protocol/rejections.ts";
import type { BlockEntry } from "../host.ts";
import { RECORD, startBody } from "./records.ts";

/** A block's outcome without its transactions. */
export type BlockOutcome = Pick<
  BlockEntry,
  "height" | "hash" | "parentHash" | "stateRoot" | "receipts" | "events" | "texts"
>;

/** Parts of a receipt that are not in columns. */
type Rest = readonly [index: number, numbers: RejectionNumbers | 0, results: readonly ActionResult[] | 0];

/** The body in two pieces: the events of a block may be many megabytes, and are not copied for it. */
export function resultBody(outcome: BlockOutcome): [body: Uint8Array, tail: Uint8Array] {
  const { receipts, events, stateRoot } = outcome;
  const out = startBody(RECORD.result);
  out.f64(outcome.height);
  out.raw(bytesOfHex(outcome.hash));
  out.raw(bytesOfHex(outcome.parentHash));
  out.u8(stateRoot === undefined ? 0 : 1);
  if (stateRoot !== undefined) out.raw(bytesOfHex(stateRoot));
  out.u32(receipts.length);
  const rest: Rest[] = [];
  for (const { index, status, code, numbers, results, eventsFrom, eventsTo } of receipts) {
    out.u32(codeOf(status, code) >>> 0);
    out.u32(eventsFrom);
    out.u32(eventsTo);
    if (numbers !== undefined || results !== undefined) rest.push([index, numbers ?? 0, results ?? 0]);
  }
  out.text(rest.length === 0 ? "" : JSON.stringify(rest));
  out.text(outcome.texts.length === 0 ? "" : JSON.stringify(outcome.texts));
  out.u32(events.byteLength);
  return [out.view8(), new Uint8Array(events.buffer, events.byteOffset, events.byteLength)];
}

export function readResult(reader: ByteReader): BlockOutcome {
  const { height, hash, parentHash, stateRoot } = readResultHead(reader);
  const count = reader.u32();
  const receipts: Receipt[] = [];
  for (let index = 0; index < count; index++) {
    const code = reader.u32() | 0;
    const name = code === 0 ? undefined : code > 0 ? REJECTION_NAMES[code - 1] : INVALID_NAMES[-1 - code];
    receipts.push({
      index,
      status: code === 0 ? "applied" : code > 0 ? "rejected" : "invalid",
      ...(name === undefined ? {} : { code: name }),
      nonceConsumed: code >= 0,
      eventsFrom: reader.u32(),
      eventsTo: reader.u32(),
    });
  }
  for (const [index, numbers, results] of parseList<Rest>(reader.text())) {
    receipts[index] = {
      ...receipts[index]!,
      ...(numbers === 0 ? {} : { numbers }),
      ...(results === 0 ? {} : { results }),
    };
  }
  const texts = parseList<string>(reader.text());
  const events = new Float64Array(reader.blob().slice().buffer);
  return { height, hash, parentHash, stateRoot, receipts, events, texts };
}

/** The first part only: enough to compare it with a replay. */
export function readResultHead(reader: ByteReader): Pick<BlockOutcome, "height" | "hash" | "parentHash" | "stateRoot"> {
  const height = reader.f64();
  const hash: Bytes32 = formatHex(reader.raw(32));
  const parentHash: Bytes32 = formatHex(reader.raw(32));
  const stateRoot: Bytes32 | undefined = reader.u8() === 0 ? undefined : formatHex(reader.raw(32));
  return { height, hash, parentHash, stateRoot };
}

/** The codes of the receipts, which follow the first part; below 0 for transactions that did not commit. */
export function readResultCodes(reader: ByteReader): number[] {
  const codes: number[] = [];
  for (let left = reader.u32(); left > 0; left--) {
    codes.push(reader.u32() | 0);
    reader.raw(8);
  }
  return codes;
}

function codeOf(status: Receipt["status"], code: Receipt["code"]): number {
  if (status === "applied") return 0;
  return status === "rejected" ? 1 + REJECTION_PLACES[code as RejectionCode] : -1 - INVALID_PLACES[code as InvalidCode];
}

function parseList<T>(text: string): T[] {
  return text === "" ? [] : (JSON.parse(text) as T[]);
}
