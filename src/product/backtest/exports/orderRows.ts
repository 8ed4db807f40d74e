import { NONE } from "../../../ground/collections/table.ts";
import type { AccountKey } from "../../../protocol/accountKey.ts";
import type { Payloads } from "../../../protocol/actions/index.ts";
import { CANCEL_CAUSE, CANCEL_CAUSES, type EventOf, type VenueEvent } from "../../../protocol/events.ts";
import type { Receipt } from "../../../protocol/receipt.ts";
import type { Transaction } from "../../../protocol/transaction.ts";
import { INTENT_KIND, INTENT_KINDS, ORDER_TYPES, SIDE, SIDES, TIMES_IN_FORCE } from "../../../protocol/words.ts";
import type { BlockResult } from "../../../venue/engine/applyBlock.ts";
import { findAccount } from "../../../venue/engine/state/accounts.ts";
import type { AccountRow } from "../../../venue/engine/state/schema.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import type { Observer, SealedBlock } from "../../../venue/simulation/observer.ts";
import type { Row } from "../../tables/table.ts";
import { readAccountEvents } from "../account/accountEvents.ts";
import type { Refused } from "../link/remote.ts";
import type { SentTransaction } from "../outbox.ts";
import type { orders } from "./definitions.ts";

export type OrderRow = Row<typeof orders>;
type OpenRow = { -readonly [Name in keyof OrderRow]: OrderRow[Name] };

/** An order that has not ended. Sizes in lots. */
interface OpenOrder {
  readonly row: OpenRow;
  /** Row of its market in the venue. */
  readonly market: number;
  /** Lots that it may still fill; undefined for a close of a whole position. */
  remaining: number | undefined;
  filled: number;
  value: bigint;
  fee: bigint;
}

/** The order that an intent places when it fires. */
interface Spec {
  readonly id: string | null;
  readonly row: Pick<OpenRow, "side" | "type" | "timeInForce" | "price" | "reduceOnly">;
}

/**
 * Gives the rows of `orders`: follows every order of the strategy from its sending, through receipts and events, to its
 * end. Only open orders are held.
 */
export class OrderRows implements Observer {
  readonly #key: AccountKey;
  readonly #write: (row: OrderRow) => void;
  /** By the id of their transaction: sent, and in no block yet. In the order of sending. */
  readonly #sent = new Map<string, SentTransaction>();
  readonly #open = new Map<number, OpenOrder>();
  readonly #intents = new Map<number, Spec>();
  /** Greatest number of intents before those that have ended are forgotten. */
  #intentsMost = 256;
  /** Orders that may have ended in this block without an event of their own. */
  readonly #unsettled = new Set<number>();
  #account = NONE as AccountRow;

  /** @param key of the strategy's account */
  constructor(key: AccountKey, write: (row: OrderRow) => void) {
    this.#key = key;
    this.#write = write;
  }

  onStart(state: State): void {
    this.#account = findAccount(state, this.#key);
  }

  /** The strategy sent a transaction. */
  onSend(sent: SentTransaction): void {
    this.#sent.set(sent.id, sent);
  }

  /** The venue refused a transaction where it arrived: no block has it. */
  onRefuse({ id, code, timeMs, sent }: Refused): void {
    this.#sent.delete(id);
    for (const request of listRequests(sent.action, sent.payload)) {
      this.#write({ ...createRow(request), id, sent: sent.timeMs, status: "rejected", reason: code, ended: timeMs });
    }
  }

  onBlock(state: State, block: SealedBlock, result: BlockResult): void {
    for (const [index, transaction] of block.transactions.entries()) {
      const { clientTxId } = transaction.header;
      const sent = this.#sent.get(clientTxId);
      if (sent === undefined || sent.payload !== transaction.payload) continue;
      this.#sent.delete(clientTxId);
      this.#enter(state, sent, transaction, result.receipts.at(index));
    }
    if (!this.#isInvolved(state)) return;
    for (const event of readAccountEvents(result.events, result.from, result.to, this.#account)) {
      this.#readEvent(state, event, result.texts);
    }
    this.#settle(state);
    if (this.#intents.size > this.#intentsMost) this.#forgetIntents(state);
  }

  /** Events of an intent's end do not name its account, so ended ones are looked for from time to time. */
  #forgetIntents({ intentIndex }: State): void {
    for (const id of this.#intents.keys()) {
      if (intentIndex.find(id) === NONE && !this.#open.has(id)) this.#intents.delete(id);
    }
    this.#intentsMost = Math.max(256, this.#intents.size * 2);
  }

  #isInvolved({ accounts }: State): boolean {
    return this.#open.size > 0 || accounts.position[this.#account] !== NONE || accounts.intents[this.#account] !== NONE;
  }

  /** A transaction is in a block: begins the rows of its orders, or writes those that were rejected. */
  #enter(state: State, sent: SentTransaction, { action, payload }: Transaction, receipt: Receipt): void {
    const requests = listRequests(action, payload);
    for (const [place, request] of requests.entries()) {
      const outcome = receipt.results?.[place];
      const row: OpenRow = { ...createRow(request), id: sent.id, sent: sent.timeMs, entered: state.timeMs };
      const order = outcome?.orderId;
      if (receipt.code !== undefined || outcome?.status === "rejected") {
        this.#write({ ...row, status: "rejected", reason: receipt.code ?? outcome?.code ?? null, ended: state.timeMs });
        continue;
      }
      // An intent without an entry order places its order later.
      if (order === undefined || (request.isIntent && !request.hasEntry)) continue;
      // Lots that were cut at entry: the order itself has an outcome like any other.
      if (outcome?.code !== undefined) row.reason = outcome.code;
      this.#begin(order, state.marketNames.indexOf(request.market), row, request.size, state);
    }
  }

  #begin(order: number, market: number, row: OpenRow, size: number | null, state: State): OpenOrder {
    const { lotSize } = state.parameters[market]!;
    row.orderId = String(order);
    const remaining = size === null ? undefined : size / lotSize;
    const open: OpenOrder = { row, market, remaining, filled: 0, value: 0n, fee: 0n };
    this.#open.set(order, open);
    this.#unsettled.add(order);
    return open;
  }

  /** The order of an event; one that no transaction entered was placed by the venue, for an intent. */
  #find(state: State, order: number, market: number, side: number): OpenOrder {
    const found = this.#open.get(order);
    if (found !== undefined) return found;
    const spec = this.#intents.get(order);
    const row: OpenRow = {
      ...createRow({ market: state.marketNames[market]!, side, type: "intent", size: null }),
      ...spec?.row,
      id: spec?.id ?? null,
      entered: state.timeMs,
    };
    return this.#begin(order, market, row, null, state);
  }

  #readEvent(state: State, event: VenueEvent, texts: readonly string[]): void {
    switch (event.kind) {
      case "orderOpened": {
        const open = this.#find(state, event.order, event.market, event.side);
        open.remaining = event.remaining;
        return;
      }
      case "fill":
        this.#readFill(state, event);
        return;
      case "orderAmended": {
        const open = this.#open.get(event.order);
        if (open === undefined) return;
        open.remaining = event.remaining;
        open.row.price = event.price * state.parameters[event.market]!.tickSize;
        open.row.amendments++;
        if (event.rests === 0) this.#unsettled.add(event.order);
        return;
      }
      case "orderCancelled": {
        const open = this.#find(state, event.order, event.market, NONE);
        open.remaining = event.remaining;
        const status = event.cause === CANCEL_CAUSE.timeInForce ? "expired" : "cancelled";
        this.#end(state, event.order, status, CANCEL_CAUSES[event.cause]!);
        return;
      }
      case "intentPlaced":
        this.#intents.set(event.intent, describeIntent(state, event, texts));
        return;
      case "intentTriggered": {
        const side = this.#intents.get(event.intent)?.row.side ?? null;
        const open = this.#find(state, event.intent, event.market, side === null ? NONE : SIDE[side as "buy" | "sell"]);
        open.remaining = event.size;
        return;
      }
    }
  }

  #readFill(state: State, event: EventOf<"fill">): void {
    const isMaker = event.makerAccount === this.#account;
    const order = isMaker ? event.makerOrder : event.takerOrder;
    // A liquidation closes without an order.
    if (order === 0) return;
    const isBuy = (event.takerSide === SIDE.buy) !== isMaker;
    const open = this.#find(state, order, event.market, isBuy ? SIDE.buy : SIDE.sell);
    open.row.side = isBuy ? "buy" : "sell";
    open.row.fills++;
    open.filled += event.size;
    open.value += BigInt(event.value);
    open.fee += BigInt(isMaker ? event.makerFee : event.takerFee);
    if (isMaker) open.remaining = event.makerRemaining;
    else if (open.remaining !== undefined) open.remaining = Math.max(0, open.remaining - event.size);
    this.#unsettled.add(order);
  }

  /** Ends orders that were filled whole, as maker or taker: such an order is on no book and has no event of its end. */
  #settle(state: State): void {
    for (const order of this.#unsettled) {
      const open = this.#open.get(order);
      if (open === undefined || state.orderIndex.find(state.orders, order) !== NONE) continue;
      open.remaining = 0;
      this.#end(state, order, "filled", null);
    }
    this.#unsettled.clear();
  }

  #end(state: State, order: number, status: string, reason: string | null): void {
    const open = this.#open.get(order)!;
    this.#open.delete(order);
    this.#write({ ...finishRow(open, state), status, reason: reason ?? open.row.reason, ended: state.timeMs });
  }

  /** Writes the orders that are open, by their number, and those that no block has carried. */
  onEnd(state: State): void {
    for (const [, open] of [...this.#open].sort(([a], [b]) => a - b)) {
      this.#write({ ...finishRow(open, state), status: "open" });
    }
    for (const { id, action, payload, timeMs } of this.#sent.values()) {
      for (const request of listRequests(action, payload)) {
        this.#write({ ...createRow(request), id, sent: timeMs, status: "unsent" });
      }
    }
  }
}

/** An order as a transaction asks for it. Places of words, and whole numbers of the wire. */
interface Request {
  readonly market: string;
  /** NONE where it is not known. */
  readonly side: number;
  readonly type: string;
  /** 1e-8 base; null for a whole position. */
  readonly size: number | null;
  /** 1e-8 USD; 0 for none. */
  readonly price?: number;
  readonly timeInForce?: number;
  readonly reduceOnly?: boolean;
  /** Whether it arms an intent, and whether that enters an order at once. */
  readonly isIntent?: boolean;
  readonly hasEntry?: boolean;
}

/** The orders that a transaction asks for; none for one that cancels, amends or changes a setting. */
function listRequests(action: string, payload: unknown): Request[] {
  switch (action) {
    case "placeOrder":
      return [requestOf(payload as Payloads["placeOrder"])];
    case "placeOrders":
      return (payload as Payloads["placeOrders"]).orders.map(requestOf);
    case "closePosition": {
      const { market, size, price } = payload as Payloads["closePosition"];
      return [
        { market, side: NONE, type: "close", size: size === 0 ? null : size, price, timeInForce: 1, reduceOnly: true },
      ];
    }
    case "placeIntent": {
      const { market, side, kind, size, orderType, price, timeInForce, reduceOnly } =
        payload as Payloads["placeIntent"];
      const hasEntry = kind === INTENT_KIND.oto || kind === INTENT_KIND.otoco;
      const type = hasEntry ? ORDER_TYPES[orderType]! : INTENT_KINDS[kind]!;
      return [
        {
          market,
          side,
          type,
          size: size === 0 ? null : size,
          price,
          timeInForce,
          reduceOnly,
          isIntent: true,
          hasEntry,
        },
      ];
    }
    default:
      return [];
  }
}

function requestOf(order: Payloads["placeOrder"]): Request {
  const { market, side, orderType, size, price, timeInForce, reduceOnly } = order;
  return { market, side, type: ORDER_TYPES[orderType]!, size, price, timeInForce, reduceOnly };
}

function createRow({ market, side, type, size, price = 0, timeInForce, reduceOnly = false }: Request): OpenRow {
  return {
    id: null,
    orderId: null,
    sent: null,
    entered: null,
    ended: null,
    market,
    side: side === NONE ? null : SIDES[side]!,
    type,
    timeInForce: timeInForce === undefined ? null : TIMES_IN_FORCE[timeInForce]!,
    price: price === 0 ? null : price,
    size,
    reduceOnly,
    filled: 0,
    averagePrice: null,
    value: 0,
    fee: 0,
    fills: 0,
    amendments: 0,
    status: "",
    reason: null,
  };
}

function describeIntent(state: State, event: EventOf<"intentPlaced">, texts: readonly string[]): Spec {
  const { tickSize } = state.parameters[event.market]!;
  return {
    id: event.client < 0 ? null : texts[event.client]!,
    row: {
      side: SIDES[event.side]!,
      type: INTENT_KINDS[event.way]!,
      timeInForce: TIMES_IN_FORCE[event.timeInForce]!,
      price: event.price === 0 ? null : event.price * tickSize,
      reduceOnly: event.reduceOnly !== 0,
    },
  };
}

const PRICE_SCALE = 10_000_000_000n;

function finishRow({ row, market, remaining = 0, filled, value, fee }: OpenOrder, state: State): OpenRow {
  const { lotSize } = state.parameters[market]!;
  const filledE8 = filled * lotSize;
  return {
    ...row,
    size: filledE8 + remaining * lotSize,
    filled: filledE8,
    averagePrice: filled === 0 ? null : (value * PRICE_SCALE) / BigInt(filledE8),
    value,
    fee,
  };
}
