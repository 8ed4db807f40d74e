import { ByteReader } from "../../../ground/collections/byteReader.ts";
import type { Ending, KeyUse } from "../ledger.ts";
import { BlockIndex } from "./blockIndex.ts";
import { type Decision, type Loading, RECORD, readBind, readDecision, readEnd, readLoad, TAKE_AT } from "./records.ts";
import { readResultCodes, readResultHead } from "./resultRecord.ts";
import { type SegmentStart, segmentOf } from "./segments.ts";
import { ENDED, hashOfId, hashOfKey, PENDING, REVERTED, TransactionIndex } from "./transactionIndex.ts";

/**
 * Index of a log, by location. It notes every record when it is written, and again when the log is read after a
 * restart, so both ways give the same index.
 */
export class StoreIndex {
  transactions: TransactionIndex;
  blocks: BlockIndex;
  /** The venue that was loaded last, and its location; undefined if none was. */
  loaded: (Loading & { readonly location: number }) | undefined;
  /** Endings of transactions, by arrival. */
  readonly endings = new Map<number, Omit<Ending, "id">>();
  /** Keys of transactions that were refused, or accepted under another key; by signer and key. */
  readonly bound = new Map<string, KeyUse>();
  /** By segment: arrival time of its newest transaction, and the last height of any. */
  readonly #newest = new Map<number, { receivedAtMs: number; validUntil: number }>();
  epoch: number;
  /** Lowest height whose block is kept. */
  oldestHeight: number;
  /** The highest block that was ever decided or loaded, including discarded ones. */
  highest: number;
  /** The block that was decided last. */
  #decision: Decision | undefined;

  constructor({ epoch, arrival, height }: SegmentStart) {
    this.transactions = new TransactionIndex(arrival);
    this.blocks = new BlockIndex(height);
    this.oldestHeight = height + 1;
    this.highest = height;
    this.epoch = epoch;
  }

  /** @throws {RangeError} for a body that no writer produces */
  note(location: number, body: Uint8Array): void {
    // Most records are of these kinds, and a start reads all that were ever written.
    const kind = body[0]!;
    if (kind === RECORD.sync) return;
    if (kind === RECORD.take) this.#noteTake(location, body);
    else this.#note(location, new ByteReader(body));
  }

  #noteTake(location: number, body: Uint8Array): void {
    const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
    const keyAt = TAKE_AT.key + 4;
    const keyEnd = keyAt + view.getUint32(TAKE_AT.key, true);
    if (keyEnd > body.length) throw new RangeError("a key ends after its record");
    const receivedAtMs = view.getFloat64(TAKE_AT.receivedAtMs, true);
    this.#noteNewest(segmentOf(location), receivedAtMs, view.getFloat64(TAKE_AT.validUntil, true));
    this.transactions.add(location, hashOfId(body, TAKE_AT.id), hashOfKey(body, body, TAKE_AT.signer, keyAt, keyEnd));
  }

  #note(location: number, reader: ByteReader): void {
    const kind = reader.u8();
    switch (kind) {
      case RECORD.bind: {
        const { signer, key, use } = readBind(reader);
        this.#noteNewest(segmentOf(location), use.receivedAtMs, use.validUntil);
        this.bound.set(`${signer} ${key}`, use);
        return;
      }
      case RECORD.decide:
        this.#decision = readDecision(reader);
        this.blocks.decide(this.#decision.height, location);
        this.highest = Math.max(this.highest, this.#decision.height);
        // One of them is in a removed segment, so this block can no longer be reported.
        if (this.#decision.arrivals.some((arrival) => arrival < this.transactions.first)) {
          this.oldestHeight = this.#decision.height + 1;
        }
        return;
      case RECORD.result:
        this.#noteResult(location, reader);
        return;
      case RECORD.end: {
        const { arrival, ending } = readEnd(reader);
        if (!this.transactions.has(arrival)) return;
        this.endings.set(arrival, ending);
        this.transactions.set(arrival, ENDED);
        return;
      }
      case RECORD.branch:
        this.#branch(reader.f64(), reader.f64());
        return;
      case RECORD.load:
        this.#load({ ...readLoad(reader), location });
        return;
      default:
        throw new RangeError(`a record of unknown kind ${kind}`);
    }
  }

  newestOf(segment: number): { readonly receivedAtMs: number; readonly validUntil: number } {
    return this.#newest.get(segment) ?? { receivedAtMs: 0, validUntil: 0 };
  }

  /** Drops entries that are only in segments below one, which starts at `start`. */
  dropBefore(segment: number, start: SegmentStart): void {
    const { transactions } = this;
    let height = start.height;
    for (let arrival = transactions.first; arrival < start.arrival; arrival++) {
      height = Math.max(height, transactions.height(arrival));
      this.endings.delete(arrival);
    }
    this.oldestHeight = Math.max(this.oldestHeight, height + 1);
    this.transactions = transactions.from(start.arrival);
    const newest = this.newestOf(segment - 1);
    for (const old of this.#newest.keys()) if (old < segment) this.#newest.delete(old);
    for (const [name, use] of this.bound) {
      if (use.receivedAtMs <= newest.receivedAtMs && use.validUntil <= newest.validUntil) this.bound.delete(name);
    }
  }

  #noteNewest(segment: number, receivedAtMs: number, validUntil: number): void {
    let newest = this.#newest.get(segment);
    if (newest === undefined) {
      newest = { receivedAtMs: 0, validUntil: 0 };
      this.#newest.set(segment, newest);
    }
    newest.receivedAtMs = Math.max(newest.receivedAtMs, receivedAtMs);
    newest.validUntil = Math.max(newest.validUntil, validUntil);
  }

  #noteResult(location: number, reader: ByteReader): void {
    const { height } = readResultHead(reader);
    // The decision was the last record of a removed segment.
    if (this.#decision === undefined) return;
    const { arrivals } = this.#decision;
    this.blocks.record(height, location);
    const codes = readResultCodes(reader);
    for (let place = 0; place < arrivals.length; place++) {
      const arrival = arrivals[place]!;
      if (codes[place]! >= 0 && this.transactions.has(arrival)) this.transactions.set(arrival, height, place);
    }
  }

  #branch(height: number, epoch: number): void {
    this.#leave(height, height);
    this.blocks.cut(height);
    this.epoch = epoch;
  }

  /** Drops the former chain; the next blocks follow the loaded state. */
  #load(loaded: NonNullable<StoreIndex["loaded"]>): void {
    this.#leave(-1, this.blocks.head);
    this.blocks = new BlockIndex(loaded.height);
    this.highest = Math.max(this.highest, loaded.height);
    this.oldestHeight = loaded.height + 1;
    this.loaded = loaded;
    this.epoch = loaded.epoch;
    this.#decision = undefined;
  }

  /** Drops transactions above a height; they end at the present height of the chain. */
  #leave(height: number, atHeight: number): void {
    const { transactions } = this;
    for (let arrival = transactions.first; arrival < transactions.next; arrival++) {
      const at = transactions.height(arrival);
      if (at === REVERTED) continue;
      const until = at === ENDED ? this.endings.get(arrival)!.atHeight : at;
      if (until !== PENDING && until <= height) continue;
      transactions.set(arrival, REVERTED);
      this.endings.set(arrival, { status: "dropped", atHeight, reason: undefined, replacedBy: undefined });
    }
    // No refusal is permanent now: nonces are free again, and heights repeat.
    for (const [name, { code }] of this.bound) if (code !== undefined) this.bound.delete(name);
  }
}
