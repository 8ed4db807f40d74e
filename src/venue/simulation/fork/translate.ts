import { ACTION_CODES, actions, type Payloads } from "../../../protocol/actions/index.ts";
import { isCarriedFault, readCarried } from "../../../protocol/carried.ts";
import { encodePayload } from "../../../protocol/codec.ts";
import type { Bytes32, Field, Fields } from "../../../protocol/fields.ts";
import type { Transaction } from "../../../protocol/transaction.ts";
import type { BlockResult } from "../../engine/applyBlock.ts";
import { readEvents } from "../../engine/events/readEvents.ts";
import { ORDERS_PER_TRANSACTION } from "../../engine/handler/defineHandler.ts";
import { consumptionOf, countConsumed } from "./consumption.ts";
import type { Entry } from "./laneNonces.ts";

/** Last of the ids set aside for a transaction: no order or intent ever gets it. */
const NO_ORDER = ORDERS_PER_TRANSACTION - 1;

/** A block as one of both venues took it. */
export interface Taken {
  readonly transactions: readonly Transaction[];
  readonly result: BlockResult;
  /** Transactions that the venue had consumed before it. */
  readonly consumed: number;
}

/**
 * Carries recorded transactions over to a fork. It translates ids of orders and intents, which are numbers of consumed
 * transactions, and ids of grants, which are hashes of their bytes. If the fork consumed more or less than the record,
 * or a grant has another nonce in it, the ids differ. A recorded cancel still finds its order.
 */
export class Translator {
  /**
   * Consumed count of the record from which on a shift holds, rising, and that shift; NaN where the fork has nothing.
   */
  readonly #from: number[] = [0];
  readonly #shift: number[] = [0];
  /** Ids of the fork's grants by those of the record, where they differ. */
  readonly #grants = new Map<Bytes32, Bytes32>();

  /** A recorded transaction as the fork needs it, but for its nonce; the same object where nothing differs. */
  translate(transaction: Transaction): Transaction {
    const payload = this.#payload(transaction);
    const { header } = transaction;
    const authorization = this.#grants.get(header.authorization) ?? header.authorization;
    if (payload === transaction.payload && authorization === header.authorization) return transaction;
    return { ...transaction, payload, header: { ...header, authorization } } as Transaction;
  }

  /** Notes what a block consumed and granted on both sides; the entries are the fork's. */
  note(recorded: Taken, forked: Taken, entries: readonly Entry[]): void {
    const places = new Map(entries.map(({ record }, place) => [record, place]));
    const before: number[] = [];
    let count = forked.consumed;
    entries.forEach((_entry, place) => {
      before.push(count);
      count += countConsumed(consumptionOf(forked.result, forked.transactions[place]!, place));
    });
    let at = recorded.consumed;
    recorded.transactions.forEach((transaction, record) => {
      const used = countConsumed(consumptionOf(recorded.result, transaction, record));
      if (used === 0) return;
      const place = places.get(record)!;
      const isThere = forked.result.receipts.codes[place]! >= 0;
      this.#hold(at, isThere ? before[place]! - at : Number.NaN);
      at += used;
      if (isThere && mayGrant(transaction)) this.#noteGrant(recorded.result, record, forked.result, place);
    });
    this.#hold(at, count - at);
  }

  #noteGrant(recorded: BlockResult, record: number, forked: BlockResult, place: number): void {
    const id = grantOf(recorded, record);
    const own = grantOf(forked, place);
    if (id !== undefined && own !== undefined && id !== own) this.#grants.set(id, own);
  }

  /** From this consumed count on, the fork is this far ahead. */
  #hold(from: number, shift: number): void {
    const last = this.#from.length - 1;
    if (Object.is(this.#shift[last], shift)) return;
    if (this.#from[last] === from) this.#shift[last] = shift;
    else {
      this.#from.push(from);
      this.#shift.push(shift);
    }
  }

  #orderId(id: number): number {
    if (id === 0) return 0;
    const consumed = Math.floor(id / ORDERS_PER_TRANSACTION);
    let low = 0;
    let high = this.#from.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.#from[middle]! <= consumed) low = middle;
      else high = middle - 1;
    }
    const shift = this.#shift[low]!;
    if (Number.isNaN(shift)) return consumed * ORDERS_PER_TRANSACTION + NO_ORDER;
    return id + shift * ORDERS_PER_TRANSACTION;
  }

  #payload({ action, code, payload }: Transaction): Transaction["payload"] {
    if (this.#shift.length === 1 && this.#grants.size === 0) return payload;
    if (code === ACTION_CODES.devnetImpersonate) return this.#carried(payload as Payloads["devnetImpersonate"]);
    const fields = actions[action].fields as Fields;
    return namesIds(fields) ? (this.#record(fields, payload) as Transaction["payload"]) : payload;
  }

  /** A carried transaction is bytes: they are read, and written again where an id differs. */
  #carried(payload: Payloads["devnetImpersonate"]): Payloads["devnetImpersonate"] {
    const read = readCarried(payload.action, payload.payload);
    if (isCarriedFault(read)) return payload;
    const fields = actions[read.action].fields as Fields;
    if (!namesIds(fields)) return payload;
    const moved = this.#record(fields, read.payload) as never;
    const text = JSON.stringify(encodePayload(read.action, moved));
    return { ...payload, payload: new TextEncoder().encode(text) };
  }

  #value(field: Field, value: unknown): unknown {
    switch (field.kind) {
      case "id":
        return this.#orderId(value as number);
      case "bytes32":
        return this.#grants.get(value as Bytes32) ?? value;
      case "list":
        return (value as readonly unknown[]).map((item) => this.#value(field.item as Field, item));
      case "record":
        return this.#record(field.members, value as object);
      default:
        return value;
    }
  }

  #record(fields: Fields, values: object): object {
    return Object.fromEntries(
      Object.entries(fields).map(([name, field]) => [
        name,
        this.#value(field, (values as Record<string, unknown>)[name]),
      ]),
    );
  }
}

function mayGrant({ code }: Transaction): boolean {
  return code === ACTION_CODES.grantAuthorization || code === ACTION_CODES.devnetImpersonate;
}

/** Id of the grant that a transaction made. */
function grantOf({ receipts, events }: BlockResult, index: number): Bytes32 | undefined {
  for (const event of readEvents(events, receipts.eventsFrom[index]!, receipts.eventsTo[index]!)) {
    if (event.kind !== "authorizationGranted") continue;
    const words = [event.i0, event.i1, event.i2, event.i3, event.i4, event.i5, event.i6, event.i7];
    return `0x${words.map((word) => (word >>> 0).toString(16).padStart(8, "0")).join("")}`;
  }
  return undefined;
}

function namesIds(fields: Fields): boolean {
  return Object.values(fields).some(isIdField);
}

function isIdField(field: Field): boolean {
  if (field.kind === "id" || field.kind === "bytes32") return true;
  if (field.kind === "list") return isIdField(field.item as Field);
  return field.kind === "record" && namesIds(field.members);
}
