import type { OrderStatus } from "../../api/schemas/orders.ts";
import { NONE } from "../../collections/table.ts";
import { idOfGrant } from "../../engine/authorization/addGrant.ts";
import { getClientOrderId, getGrant, getLastHeight, getLastTime } from "../../engine/book/extras.ts";
import {
  type AuthorizationRow,
  FLAG_REDUCE_ONLY,
  FLAG_SELL,
  getPostOnly,
  type OrderRow,
} from "../../engine/state/schema.ts";
import type { State } from "../../engine/state/state.ts";
import type { ActionName, Payloads } from "../../protocol/actions/index.ts";
import { CANCEL_CAUSE } from "../../protocol/events.ts";
import type { Bytes32 } from "../../protocol/fields.ts";
import { type Transaction, ZERO_BYTES32 } from "../../protocol/transaction.ts";
import { SIDE } from "../../protocol/words.ts";
import type { IntentPasts } from "./intents.ts";
import type { Happening, Model, Reactions } from "./model.ts";
import { Queue } from "./queue.ts";

/** An order, open or ended. Sizes in lots; words are places in their lists. */
export interface OrderRecord {
  readonly id: number;
  readonly account: number;
  readonly market: number;
  side: number;
  client: string;
  txId: Bytes32 | undefined;
  orderType: number | undefined;
  timeInForce: number | undefined;
  /** 0 for a market order with a slippage bound. */
  ticks: number;
  reduceOnly: boolean;
  postOnly: number;
  goodTilHeight: number;
  goodTilTime: number;
  authorization: Bytes32 | undefined;
  /** What was asked for, where that is known. */
  asked: number | undefined;
  filled: number;
  remaining: number;
  cancelled: number;
  cause: number;
  /** Undefined for one that was entered before the blocks that are kept. */
  readonly openedHeight: number | undefined;
  filledHeight: number | undefined;
  updatedHeight: number | undefined;
  closedHeight: number | undefined;
  status: OrderStatus;
  /** Taken off by an amendment that enters it anew: what it had left, until that is settled. */
  limbo: number;
  /** How often it stands among the closed ones: slices of a schedule end and begin again under one id. */
  endings: number;
}

/** What an order is made of, where its transaction or its intent tells. */
type Terms = Partial<
  Pick<
    OrderRecord,
    | "client"
    | "txId"
    | "orderType"
    | "timeInForce"
    | "ticks"
    | "reduceOnly"
    | "postOnly"
    | "goodTilHeight"
    | "goodTilTime"
    | "authorization"
    | "asked"
  >
>;

/** Orders: all that are open, and the newest of those that ended. */
export class OrderPasts implements Model {
  readonly #most: number;
  readonly #intents: IntentPasts;
  readonly #byId = new Map<number, OrderRecord>();
  readonly #openOf = new Map<number, Set<OrderRecord>>();
  readonly #closedOf = new Map<number, Queue<OrderRecord>>();
  readonly #closed = new Queue<OrderRecord>();
  /** Orders that traded as takers, or were taken off to be entered anew, in the running segment. */
  readonly #touched = new Set<OrderRecord>();
  /** Height at which the newest of the forgotten ones ended. */
  forgottenHeight = 0;

  constructor(most: number, intents: IntentPasts) {
    this.#most = most;
    this.#intents = intents;
  }

  find(id: number): OrderRecord | undefined {
    return this.#byId.get(id);
  }

  /** Open orders of an account, and those that ended above a height. Cost: once per order of those. */
  ofAccount(account: number, closedAbove = -1): Iterable<OrderRecord> {
    const found = new Set(this.#openOf.get(account));
    for (const order of this.#closedOf.get(account)?.newestFirst() ?? []) {
      // One that is open again stands here by an earlier end.
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
      record.goodTilHeight = event.goodTilHeight;
      record.goodTilTime = event.goodTilTime;
      record.remaining = event.remaining;
      record.filled = event.filled;
      record.limbo = 0;
      if (event.client >= 0) record.client = at.entry.texts[event.client]!;
      this.#reopen(record, at.height);
      this.#touched.add(record);
    },
    authorizationOrder: ({ authorization, order }, { state }) => {
      const record = this.#byId.get(order);
      if (record !== undefined) record.authorization = idOfGrant(state, authorization as AuthorizationRow);
    },
    orderAmended: ({ order, price, remaining, goodTilHeight, goodTilTime }, { height }) => {
      const record = this.#byId.get(order);
      if (record === undefined) return;
      record.ticks = price;
      record.remaining = remaining;
      record.goodTilHeight = goodTilHeight;
      record.goodTilTime = goodTilTime;
      record.asked = undefined;
      record.updatedHeight = height;
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
      if (cause === CANCEL_CAUSE.replaced) {
        record.limbo = remaining;
        record.asked = undefined; // an amendment asks for something else
        this.#touched.add(record);
        return;
      }
      record.limbo = 0;
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
      // Of an order that came back to be matched, nothing more is open until it says so.
      if (taker.limbo > 0) taker.limbo = -1;
      this.#touched.add(taker);
    },
  };

  /** An order that traded and neither rests nor was cancelled has nothing left. */
  endSegment(height: number): void {
    if (this.#touched.size === 0) return;
    for (const record of this.#touched) {
      if (record.limbo > 0) {
        record.cancelled += record.limbo;
        this.#close(record, height, "cancelled");
      } else if (record.closedHeight === undefined && record.remaining === 0) {
        this.#close(record, height, "filled");
      }
      record.limbo = 0;
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
    return this.#byId.get(id) ?? this.#open(id, place, at, this.#findTerms(id, at));
  }

  /** An order that was cancelled before it ever traded or rested: there is one only if its transaction tells of it. */
  #getFromTransaction(
    id: number,
    place: { account: number; market: number; side: number },
    at: Happening,
  ): OrderRecord | undefined {
    const terms = this.#findTerms(id, at);
    if (terms.side === undefined) return undefined;
    return this.#open(id, { ...place, side: terms.side }, at, terms);
  }

  #open(
    id: number,
    { account, market, side }: { account: number; market: number; side: number },
    { height }: Happening,
    terms: Terms,
  ): OrderRecord {
    const record: OrderRecord = {
      id,
      account,
      market,
      client: "",
      txId: undefined,
      orderType: undefined,
      timeInForce: undefined,
      ticks: 0,
      reduceOnly: false,
      postOnly: 0,
      goodTilHeight: 0,
      goodTilTime: 0,
      authorization: undefined,
      asked: undefined,
      ...terms,
      side,
      filled: 0,
      remaining: 0,
      cancelled: 0,
      cause: -1,
      openedHeight: height,
      filledHeight: undefined,
      updatedHeight: height,
      closedHeight: undefined,
      status: "open",
      limbo: 0,
      endings: 0,
    };
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

  /** Slices of a schedule come under one id, and amendments bring an order back. */
  #reopen(record: OrderRecord, height: number): void {
    if (record.closedHeight !== undefined) this.#openOf.get(record.account)!.add(record);
    record.updatedHeight = height;
    record.closedHeight = undefined;
    record.cause = -1;
    record.status = record.filled > 0 ? "partiallyFilled" : "open";
  }

  /** Both queues have their orders in one order of ending, so the oldest of all is the oldest of its account. */
  #forget(record: OrderRecord): void {
    this.#closedOf.get(record.account)!.shift();
    record.endings--;
    if (record.closedHeight === undefined || record.endings > 0) return;
    this.#byId.delete(record.id);
    this.forgottenHeight = Math.max(this.forgottenHeight, record.closedHeight);
  }

  #findTerms(id: number, at: Happening): Terms & { readonly side?: number } {
    const { entry, txIndex, state } = at;
    const transaction = entry.transactions[txIndex];
    if (transaction === undefined) return this.#findIntentTerms(id);
    const txId = entry.ids[txIndex]!;
    const order = findPlaced(transaction, entry.receipts[txIndex]?.results, id);
    if (order === undefined) return { txId };
    const rules = state.parameters[state.marketRows.get(order.market)!]!;
    const { authorization } = transaction.header;
    return {
      txId,
      side: order.side,
      client: order.clientOrderId,
      orderType: order.orderType,
      timeInForce: order.timeInForce,
      ticks: order.price / rules.tickSize,
      reduceOnly: order.reduceOnly,
      postOnly: order.postOnly,
      goodTilHeight: order.goodTilHeight,
      goodTilTime: order.goodTilTime,
      authorization: authorization === ZERO_BYTES32 ? undefined : authorization,
      asked: order.size / rules.lotSize,
    };
  }

  #findIntentTerms(id: number): Terms & { readonly side?: number } {
    const values = this.#intents.find(id)?.values;
    if (values === undefined) return {};
    const { side, orderType, timeInForce, price: ticks, postOnly } = values;
    return { side, orderType, timeInForce, ticks, postOnly, reduceOnly: values.reduceOnly === 1 };
  }
}

function getOrAdd<T>(map: Map<number, T>, key: number, create: () => T): T {
  let value = map.get(key);
  if (value === undefined) {
    value = create();
    map.set(key, value);
  }
  return value;
}

type Placed = Payloads["placeOrder"];

/** The order of a transaction that has an id, as it was asked for. */
function findPlaced(
  { action, payload }: Transaction<ActionName>,
  results: readonly { readonly orderId?: number }[] | undefined,
  id: number,
): Placed | undefined {
  const leg = results?.findIndex(({ orderId }) => orderId === id) ?? -1;
  if (leg < 0) return undefined;
  if (action === "placeOrder") return payload as Placed;
  return action === "placeOrders" ? (payload as Payloads["placeOrders"]).orders[leg] : undefined;
}

function countFill(record: OrderRecord, lots: number, height: number): void {
  record.filled += lots;
  record.filledHeight ??= height;
  record.updatedHeight = height;
  if (record.status === "open") record.status = "partiallyFilled";
}

/** What self-trade prevention took of a taker is in no event: it is what is missing of what was asked for. */
function settleAsked(record: OrderRecord): void {
  const { asked, filled, remaining, cancelled } = record;
  if (asked === undefined || asked <= filled + remaining + cancelled) return;
  record.cancelled = asked - filled - remaining;
  record.cause = CANCEL_CAUSE.selfTrade;
  if (record.status === "filled") record.status = "cancelled";
}

/** What an order was at a height; undefined where it was not yet. */
export function getOrderStatusAt(record: OrderRecord, height: number): OrderStatus | undefined {
  if ((record.openedHeight ?? 0) > height) return undefined;
  if (record.closedHeight !== undefined && record.closedHeight <= height) return record.status;
  const filled = record.openedHeight === undefined ? record.filled > 0 : (record.filledHeight ?? Infinity) <= height;
  return filled ? "partiallyFilled" : "open";
}

/** A resting order of which the blocks that are kept say nothing. */
function readOrder(state: State, row: OrderRow): OrderRecord {
  const { orders, positions } = state;
  const position = orders.position[row]!;
  const flags = orders.flags[row]!;
  const grant = getGrant(state, row);
  return {
    id: orders.id[row]!,
    account: positions.account[position]!,
    market: positions.market[position]!,
    side: (flags & FLAG_SELL) !== 0 ? SIDE.sell : SIDE.buy,
    client: getClientOrderId(state, row),
    txId: undefined,
    orderType: undefined,
    timeInForce: undefined,
    ticks: orders.price[row]!,
    reduceOnly: (flags & FLAG_REDUCE_ONLY) !== 0,
    postOnly: getPostOnly(flags),
    goodTilHeight: getLastHeight(state, row),
    goodTilTime: getLastTime(state, row),
    authorization: grant === NONE ? undefined : idOfGrant(state, grant),
    asked: undefined,
    filled: orders.filled[row]!,
    remaining: orders.remaining[row]!,
    cancelled: 0,
    cause: -1,
    openedHeight: undefined,
    filledHeight: undefined,
    updatedHeight: undefined,
    closedHeight: undefined,
    status: orders.filled[row]! > 0 ? "partiallyFilled" : "open",
    limbo: 0,
    endings: 0,
  };
}
