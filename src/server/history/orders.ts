import type { OrderStatus } from "../../client/api/schemas/orders.ts";
import { CANCEL_CAUSE } from "../../protocol/events.ts";
import { idOfGrant } from "../../venue/engine/authorization/addGrant.ts";
import type { AuthorizationRow, OrderRow } from "../../venue/engine/state/schema.ts";
import type { State } from "../../venue/engine/state/state.ts";
import { getOrAdd } from "./getOrAdd.ts";
import type { IntentPasts } from "./intents.ts";
import type { Happening, Model, Reactions } from "./model.ts";
import { countFill, type OrderRecord, type OrderTerms, openOrder, readOrder, settleAsked } from "./orderRecord.ts";
import { findTerms } from "./orderTerms.ts";
import { Queue } from "./queue.ts";

/** Orders: all open ones, and the newest ended ones. */
export class OrderPasts implements Model {
  readonly #most: number;
  readonly #intents: IntentPasts;
  readonly #byId = new Map<number, OrderRecord>();
  readonly #openOf = new Map<number, Set<OrderRecord>>();
  readonly #closedOf = new Map<number, Queue<OrderRecord>>();
  readonly #closed = new Queue<OrderRecord>();
  /** Orders that traded as takers, or were removed to be re-entered, in the running segment. */
  readonly #touched = new Set<OrderRecord>();
  /** Height at which the newest dropped one ended. */
  forgottenHeight = 0;

  constructor(most: number, intents: IntentPasts) {
    this.#most = most;
    this.#intents = intents;
  }

  find(id: number): OrderRecord | undefined {
    return this.#byId.get(id);
  }

  /** Open orders of an account, and those that ended above a height. Cost: once per such order. */
  ofAccount(account: number, closedAbove = -1): Iterable<OrderRecord> {
    const found = new Set(this.#openOf.get(account));
    for (const order of this.#closedOf.get(account)?.newestFirst() ?? []) {
      // A reopened order is still in this list by an earlier end.
      if (order.closedHeight === undefined) continue;
      if (order.closedHeight <= closedAbove) break;
      found.add(order);
    }
    return found;
  }

  readonly on: Reactions = {
    orderOpened: (event, at) => {
      const { account, market, side } = event;
      const record = this.#getOrOpen(event.order, { account, market, side }, at);
      record.ticks = event.price;
      record.reduceOnly = event.reduceOnly === 1;
      record.postOnly = event.postOnly;
      record.selfTrade = event.selfTrade;
      record.selfTradeScope = event.selfTradeScope;
      record.goodTilHeight = event.goodTilHeight;
      record.goodTilTime = event.goodTilTime;
      record.remaining = event.remaining;
      record.filled = event.filled;
      if (event.client >= 0) record.client = at.entry.texts[event.client]!;
      this.#reopen(record, at.height);
      this.#touched.add(record);
    },
    authorizationOrder: ({ authorization, order }, { state }) => {
      const record = this.#byId.get(order);
      if (record !== undefined) record.authorization = idOfGrant(state, authorization as AuthorizationRow);
    },
    orderAmended: ({ order, price, remaining, rests, goodTilHeight, goodTilTime }, { height }) => {
      const record = this.#byId.get(order);
      if (record === undefined) return;
      record.ticks = price;
      record.goodTilHeight = goodTilHeight;
      record.goodTilTime = goodTilTime;
      record.updatedHeight = height;
      if (rests === 1) {
        record.remaining = remaining;
        record.asked = undefined;
        return;
      }
      // It re-enters as a new order: its open size is 0 until `orderOpened`.
      record.remaining = 0;
      record.asked = record.filled + record.cancelled + remaining;
      this.#touched.add(record);
    },
    orderResized: ({ order, remaining }, { height }) => {
      const record = this.#byId.get(order);
      if (record === undefined) return;
      record.cancelled += record.remaining - remaining;
      record.remaining = remaining;
      record.updatedHeight = height;
    },
    orderCancelled: ({ order, account, market, remaining, cause }, at) => {
      if (order === 0) return;
      const record = this.#byId.get(order) ?? this.#getFromTransaction(order, { account, market, side: -1 }, at);
      if (record === undefined) return;
      record.updatedHeight = at.height;
      record.remaining = 0;
      record.cause = cause;
      record.cancelled += remaining;
      this.#close(record, at.height, cause === CANCEL_CAUSE.expired ? "expired" : "cancelled");
    },
    fill: (event, at) => {
      const maker = this.#byId.get(event.makerOrder);
      if (maker !== undefined) {
        countFill(maker, event.size, at.height);
        maker.remaining = event.makerRemaining;
        if (event.makerRemaining === 0) this.#close(maker, at.height, "filled");
      }
      if (event.takerOrder === 0) return;
      const { takerAccount: account, market, takerSide: side } = event;
      const taker = this.#getOrOpen(event.takerOrder, { account, market, side }, at);
      if (taker.closedHeight !== undefined) this.#reopen(taker, at.height);
      countFill(taker, event.size, at.height);
      this.#touched.add(taker);
    },
  };

  /** An order that traded and neither rests nor was cancelled is filled. */
  endSegment(height: number): void {
    if (this.#touched.size === 0) return;
    for (const record of this.#touched) {
      if (record.closedHeight === undefined && record.remaining === 0) {
        this.#close(record, height, "filled");
      }
      settleAsked(record);
    }
    this.#touched.clear();
  }

  settle(state: State): void {
    const { orders } = state;
    for (let at = 0; at < orders.rows.high; at++) {
      const row = at as OrderRow;
      if (orders.rows.isLive(row) && !this.#byId.has(orders.id[row]!)) this.#add(readOrder(state, row));
    }
  }

  #getOrOpen(id: number, place: { account: number; market: number; side: number }, at: Happening): OrderRecord {
    return this.#byId.get(id) ?? this.#open(id, place, at, findTerms(id, at, this.#intents));
  }

  /** An order that was cancelled before it ever traded or rested: it is known only from its transaction. */
  #getFromTransaction(
    id: number,
    place: { account: number; market: number; side: number },
    at: Happening,
  ): OrderRecord | undefined {
    const terms = findTerms(id, at, this.#intents);
    if (terms.side === undefined) return undefined;
    return this.#open(id, { ...place, side: terms.side }, at, terms);
  }

  #open(
    id: number,
    { account, market, side }: { account: number; market: number; side: number },
    { height }: Happening,
    terms: OrderTerms,
  ): OrderRecord {
    const record = openOrder({ id, account, market, side }, terms, height);
    this.#add(record);
    return record;
  }

  #add(record: OrderRecord): void {
    this.#byId.set(record.id, record);
    getOrAdd(this.#openOf, record.account, () => new Set()).add(record);
  }

  #close(record: OrderRecord, height: number, status: OrderStatus): void {
    if (record.closedHeight === undefined) {
      record.endings++;
      this.#openOf.get(record.account)!.delete(record);
      this.#closed.push(record);
      getOrAdd(this.#closedOf, record.account, () => new Queue()).push(record);
    }
    record.closedHeight = height;
    record.updatedHeight = height;
    record.status = status;
    settleAsked(record);
    while (this.#closed.length > this.#most) this.#forget(this.#closed.shift()!);
  }

  /** Slices of a schedule share one id, and amendments reopen an order. */
  #reopen(record: OrderRecord, height: number): void {
    if (record.closedHeight !== undefined) this.#openOf.get(record.account)!.add(record);
    record.updatedHeight = height;
    record.closedHeight = undefined;
    record.cause = -1;
    record.status = record.filled > 0 ? "partiallyFilled" : "open";
  }

  /** Both queues are in order of ending, so the oldest of all is also the oldest of its account. */
  #forget(record: OrderRecord): void {
    this.#closedOf.get(record.account)!.shift();
    record.endings--;
    if (record.closedHeight === undefined || record.endings > 0) return;
    this.#byId.delete(record.id);
    this.forgottenHeight = Math.max(this.forgottenHeight, record.closedHeight);
  }
}
