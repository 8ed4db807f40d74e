import { ORDERS_PER_TRANSACTION } from "../../engine/actions/defineHandler.ts";
import { actions } from "../../protocol/actions/index.ts";
import type { Field, Fields } from "../../protocol/fields.ts";
import type { Receipts } from "../../protocol/receipt.ts";
import type { Transaction } from "../../protocol/transaction.ts";
import { laneOf } from "../pool/lanes.ts";

/**
 * Carries recorded transactions over to a fork. What the fork consumed more or less than the record moves two things that
 * transactions name: the nonce of their lane, and the ids of orders that stand for consumed transactions. Both are moved
 * along, so that a recorded cancel finds the order it meant, and a lane goes on behind an injected transaction.
 */
export class Translator {
  /** By lane: how far nonces of the fork are ahead of the record's. */
  readonly #nonces = new Map<string, number>();
  /** Consumed count of the record from which on a shift holds, rising, and that shift. */
  readonly #from: number[] = [0];
  readonly #shift: number[] = [0];

  /** A recorded transaction as the fork needs it; the same object where nothing moved. */
  translate(transaction: Transaction): Transaction {
    const ahead = this.#nonces.get(laneOf(transaction)) ?? 0;
    const fields = actions[transaction.action].fields as Fields;
    const payload =
      this.#shift.length > 1 && namesOrders(fields) ? this.#record(fields, transaction.payload) : transaction.payload;
    if (ahead === 0 && payload === transaction.payload) return transaction;
    const { header } = transaction;
    return { ...transaction, payload, header: { ...header, nonce: header.nonce + ahead } } as Transaction;
  }

  /**
   * Notes what a block consumed on both sides.
   *
   * @param recorded transactions of the record, with their receipts and the consumed count before them
   * @param forked   the fork's, in which `placeOf` tells where a recorded transaction stands; -1 for injected ones
   */
  note(
    recorded: { readonly transactions: readonly Transaction[]; readonly receipts: Receipts; readonly consumed: number },
    forked: {
      readonly transactions: readonly Transaction[];
      readonly receipts: Receipts;
      readonly consumed: number;
      readonly recordOf: readonly number[];
    },
  ): void {
    const before: number[] = [];
    let count = recorded.consumed;
    for (let index = 0; index < recorded.transactions.length; index++) {
      before.push(count);
      if (!isConsumed(recorded.receipts, index)) continue;
      count++;
      this.#move(recorded.transactions[index]!, -1);
    }
    let forkCount = forked.consumed;
    for (let index = 0; index < forked.transactions.length; index++) {
      const record = forked.recordOf[index]!;
      if (isConsumed(forked.receipts, index)) {
        if (record >= 0 && isConsumed(recorded.receipts, record))
          this.#hold(before[record]!, forkCount - before[record]!);
        forkCount++;
        this.#move(forked.transactions[index]!, 1);
      }
    }
    this.#hold(count, forkCount - count);
  }

  #move(transaction: Transaction, by: number): void {
    const lane = laneOf(transaction);
    const ahead = (this.#nonces.get(lane) ?? 0) + by;
    if (ahead === 0) this.#nonces.delete(lane);
    else this.#nonces.set(lane, ahead);
  }

  /** From this consumed count on, the fork is this far ahead. */
  #hold(from: number, shift: number): void {
    const last = this.#from.length - 1;
    if (this.#shift[last] === shift) return;
    if (this.#from[last] === from) this.#shift[last] = shift;
    else {
      this.#from.push(from);
      this.#shift.push(shift);
    }
  }

  #orderId(id: number): number {
    const consumed = Math.floor(id / ORDERS_PER_TRANSACTION);
    let low = 0;
    let high = this.#from.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.#from[middle]! <= consumed) low = middle;
      else high = middle - 1;
    }
    return id === 0 ? 0 : id + this.#shift[low]! * ORDERS_PER_TRANSACTION;
  }

  #value(field: Field, value: unknown): unknown {
    switch (field.kind) {
      case "id":
        return this.#orderId(value as number);
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

function isConsumed(receipts: Receipts, index: number): boolean {
  return receipts.codes[index]! >= 0;
}

function namesOrders(fields: Fields): boolean {
  return Object.values(fields).some(isOrderField);
}

function isOrderField(field: Field): boolean {
  if (field.kind === "id") return true;
  if (field.kind === "list") return isOrderField(field.item as Field);
  return field.kind === "record" && namesOrders(field.members);
}
