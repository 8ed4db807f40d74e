import { NONE } from "../../collections/table.ts";
import type { AccountRow, OrderRow } from "./schema.ts";

/** Client order ids of resting orders: unique among the open orders of a subaccount (ORD-4). */
export class ClientIds {
  /** Texts by place; an order carries the place. */
  texts: string[] = [];
  free: number[] = [];
  orders: Map<string, OrderRow> = new Map();

  find(account: AccountRow, text: string): OrderRow {
    return this.orders.get(keyOf(account, text)) ?? (NONE as OrderRow);
  }

  /** Keeps a text for a resting order and returns its place; NONE for the empty text. */
  add(account: AccountRow, text: string, order: OrderRow): number {
    if (text === "") return NONE;
    this.orders.set(keyOf(account, text), order);
    const place = this.free.pop() ?? this.texts.length;
    this.texts[place] = text;
    return place;
  }

  remove(account: AccountRow, place: number): void {
    if (place === NONE) return;
    this.orders.delete(keyOf(account, this.texts[place]!));
    this.texts[place] = "";
    this.free.push(place);
  }

  text(place: number): string {
    return place === NONE ? "" : this.texts[place]!;
  }

  copy(): ClientIds {
    const copy = new ClientIds();
    copy.texts = this.texts.slice();
    copy.free = this.free.slice();
    copy.orders = new Map(this.orders);
    return copy;
  }
}

function keyOf(account: AccountRow, text: string): string {
  return `${account} ${text}`;
}
