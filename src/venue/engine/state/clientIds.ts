import { copyList, copyMap } from "../../../ground/collections/copies.ts";
import { NONE } from "../../../ground/collections/table.ts";
import type { AccountRow, OrderRow } from "./schema.ts";

/** Client order ids of resting orders: unique among the open orders of a subaccount (ORD-4). */
export class ClientIds {
  /** Texts by place; an order carries the place. */
  texts: string[] = [];
  free: number[] = [];
  orders: Map<string, OrderRow> = new Map();
  /** Where changes are to be undone: what they were. */
  log: Change[] | undefined = undefined;

  find(account: AccountRow, text: string): OrderRow {
    return this.orders.get(keyOf(account, text)) ?? (NONE as OrderRow);
  }

  /** Keeps a text for a resting order and returns its place; NONE for the empty text. */
  add(account: AccountRow, text: string, order: OrderRow): number {
    if (text === "") return NONE;
    this.orders.set(keyOf(account, text), order);
    const reused = this.free.length > 0;
    const place = this.free.pop() ?? this.texts.length;
    this.log?.push({ account, text, place, order, kind: reused ? "reused" : "added" });
    this.texts[place] = text;
    return place;
  }

  remove(account: AccountRow, place: number): void {
    if (place === NONE) return;
    const text = this.texts[place]!;
    const key = keyOf(account, text);
    this.log?.push({ account, text, place, order: this.orders.get(key)!, kind: "removed" });
    this.orders.delete(key);
    this.texts[place] = "";
    this.free.push(place);
  }

  /** Takes back everything in the log, newest first. */
  rewind(): void {
    for (const { account, text, place, order, kind } of (this.log ?? []).reverse()) {
      if (kind === "removed") {
        this.free.pop();
        this.texts[place] = text;
        this.orders.set(keyOf(account, text), order);
        continue;
      }
      this.orders.delete(keyOf(account, text));
      if (kind === "added") {
        this.texts.length = place;
      } else {
        this.texts[place] = "";
        this.free.push(place);
      }
    }
  }

  text(place: number): string {
    return place === NONE ? "" : this.texts[place]!;
  }

  /** @param spare a copy that is no longer used: it becomes this one */
  copy(spare?: ClientIds): ClientIds {
    const copy = spare ?? new ClientIds();
    copyList(this.texts, copy.texts);
    copyList(this.free, copy.free);
    copyMap(this.orders, copy.orders);
    copy.log = undefined;
    return copy;
  }
}

/** A name that was kept, at a new or a reused place, or given back. */
interface Change {
  readonly account: AccountRow;
  readonly text: string;
  readonly place: number;
  readonly order: OrderRow;
  readonly kind: "added" | "reused" | "removed";
}

function keyOf(account: AccountRow, text: string): string {
  return `${account} ${text}`;
}
