/**
 * Steps of a house account that replays history: prints, and ladders of resting depth. Ladders are moved in place
 * rather than cancelled and opened again, since a replay does little else.
 */
import { NONE } from "../../../ground/collections/table.ts";
import type { Amount, Lots, Ticks } from "../../../ground/math/fixed.ts";
import { CANCEL_CAUSE } from "../../../protocol/events.ts";
import type { OrderId } from "../../../protocol/fields.ts";
import { HOUSE_STEP_WIDTH } from "../../../protocol/houseSteps.ts";
import { POST_ONLY, SELF_TRADE, SELF_TRADE_SCOPE, SIDE } from "../../../protocol/words.ts";
import { getLastHeight, getLastTime } from "../book/extras.ts";
import { addReserve, cancelRow, openOrder } from "../book/orders.ts";
import { noteTrade } from "../intents/followOrders.ts";
import {
  type AccountRow,
  type AuthorizationRow,
  FLAG_REDUCE_ONLY,
  FLAG_SELL,
  type MarketRow,
  type OrderRow,
  type PositionRow,
} from "../state/schema.ts";
import type { State } from "../state/state.ts";
import { match } from "./match.ts";
import { createTaker, NOT_STOPPED, type Taker } from "./taker.ts";

/** A flow of history at work. */
export interface Flow {
  readonly market: MarketRow;
  readonly account: AccountRow;
  readonly position: PositionRow;
  nextOrderId: number;
}

/** Prints never rest, so they need no id of the book. */
const NO_ORDER = 0 as OrderId;

/** A recorded trade: an IOC of the house that meets its own depth by shrinking it. */
export function printTrade(state: State, flow: Flow, side: number, price: Ticks, lots: Lots): void {
  if (crosses(state, flow, side, price)) match(state, createFlowTaker(flow, side, price, lots, NO_ORDER));
  setLast(state, flow.market, side, price, lots);
}

export function setLast(state: State, market: MarketRow, side: number, price: Ticks, lots = 0): void {
  state.markets.last[market] = price;
  if (state.intents.rows.count !== 0) noteTrade(state, market, price);
  state.events.printed({ market, side, price, size: lots });
}

/** Takes the house's orders of a side back. */
export function clearSide(state: State, position: PositionRow, side: number): void {
  for (const order of findSide(state, position, side)) cancelRow(state, order, CANCEL_CAUSE.replaced);
}

/** Rests a further order of the house; the part that crosses another account's order trades first. */
export function restOrder(state: State, flow: Flow, side: number, price: Ticks, lots: Lots): void {
  if (lots > 0) putOrder(state, flow, side, price, lots, NONE as OrderRow);
}

/**
 * Makes the house's orders of a side this ladder. An order that rests at a price of the ladder already keeps its place
 * in the queue and only changes its size. The others are moved, oldest first, to the remaining prices, until either
 * runs out. Reduce-only orders are no quotes: they follow the position.
 *
 * @param steps packed; the quote and its further resting orders are at places `from` up to `to`, and those of size 0
 *   are left out
 */
export function setLadder(
  state: State,
  flow: Flow,
  side: number,
  steps: Float64Array,
  { from, to }: { readonly from: number; readonly to: number },
): void {
  const { orders } = state;
  const old = findSide(state, flow.position, side, FLAG_REDUCE_ONLY);
  const wanted: number[] = [];
  for (let at = from; at < to; at += HOUSE_STEP_WIDTH) {
    const lots = steps[at + 2]! as Lots;
    if (lots === 0) continue;
    const standing = findAt(state, old, steps[at + 1]!);
    if (standing === NONE) {
      wanted.push(at);
      continue;
    }
    const order = old[standing]!;
    old[standing] = NONE as OrderRow;
    if (orders.remaining[order] !== lots) resizeQuote(state, order, lots);
  }
  let spare = 0;
  for (const at of wanted) {
    while (spare < old.length && old[spare] === NONE) spare++;
    const moved = spare < old.length ? old[spare]! : (NONE as OrderRow);
    if (putOrder(state, flow, side, steps[at + 1]! as Ticks, steps[at + 2]! as Lots, moved)) spare++;
  }
  for (; spare < old.length; spare++) {
    if (old[spare] !== NONE) cancelRow(state, old[spare]!, CANCEL_CAUSE.replaced);
  }
}

/** Place in a list of the first order at a price, NONE for none. */
function findAt(state: State, list: readonly OrderRow[], price: number): number {
  const { orders } = state;
  for (let place = 0; place < list.length; place++) {
    if (list[place] !== NONE && orders.price[list[place]!] === price) return place;
  }
  return NONE;
}

/** The house's resting orders of a side, oldest first, but those with any of the flags `without`. */
function findSide(state: State, position: PositionRow, side: number, without = 0): OrderRow[] {
  const { positions, orders } = state;
  const found: OrderRow[] = [];
  for (let at = positions.orders[position]; at !== NONE; at = orders.older[at]) {
    const flags = orders.flags[at];
    if ((flags & without) === 0 && ((flags & FLAG_SELL) !== 0) === (side === SIDE.sell)) found.push(at);
  }
  return found.reverse();
}

/** Gives a quote another size at its place in the queue. */
export function resizeQuote(state: State, order: OrderRow, lots: Lots): void {
  const { orders } = state;
  addReserve(state, order, (lots - orders.remaining[order]) as Lots, 0 as Amount);
  orders.remaining[order] = lots;
  emitAmended(state, order, 0);
}

/**
 * Places an order of the house. An order that crosses is new: it trades first, and its rest stays in the order book.
 * Otherwise a resting order of the house may be moved to its price.
 *
 * @returns whether the order that may be moved was
 */
function putOrder(state: State, flow: Flow, side: number, price: Ticks, lots: Lots, spare: OrderRow): boolean {
  const crossing = crosses(state, flow, side, price);
  if (spare !== NONE && !crossing) {
    moveOrder(state, flow.market, spare, price, lots);
    return true;
  }
  const taker = createFlowTaker(flow, side, price, lots, flow.nextOrderId++ as OrderId);
  if (crossing) match(state, taker);
  if (taker.remaining === 0 || taker.stopped !== NOT_STOPPED) return false;
  openOrder(state, {
    id: taker.orderId,
    position: flow.position,
    side,
    reduceOnly: false,
    price,
    remaining: taker.remaining,
    filled: taker.filled,
    orderCost: 0 as Amount,
    clientOrderId: "",
    postOnly: POST_ONLY.no,
    selfTrade: SELF_TRADE.decrement,
    selfTradeScope: SELF_TRADE_SCOPE.account,
    goodTilHeight: 0,
    goodTilTime: 0,
    grant: NONE as AuthorizationRow,
  });
  return false;
}

/** Moves a resting order of the house to the end of another level, with another size. */
function moveOrder(state: State, market: MarketRow, order: OrderRow, price: Ticks, lots: Lots): void {
  const { orders } = state;
  const book = state.books[market]!;
  book.remove(orders, order);
  addReserve(state, order, (lots - orders.remaining[order]) as Lots, 0 as Amount);
  orders.price[order] = price;
  orders.remaining[order] = lots;
  book.add(orders, order);
  emitAmended(state, order, 1);
}

function emitAmended(state: State, order: OrderRow, requeued: number): void {
  const { orders, positions } = state;
  const position = orders.position[order];
  state.events.orderAmended({
    order: orders.id[order],
    account: positions.account[position],
    market: positions.market[position],
    price: orders.price[order],
    remaining: orders.remaining[order],
    orderCost: 0,
    requeued,
    rests: 1,
    goodTilHeight: getLastHeight(state, order),
    goodTilTime: getLastTime(state, order),
  });
}

function crosses(state: State, flow: Flow, side: number, price: Ticks): boolean {
  const book = state.books[flow.market]!;
  const best = side === SIDE.buy ? book.bestAsk : book.bestBid;
  return best !== 0 && (side === SIDE.buy ? best <= price : best >= price);
}

function createFlowTaker(flow: Flow, side: number, price: Ticks, lots: Lots, orderId: OrderId): Taker {
  return createTaker({
    market: flow.market,
    account: flow.account,
    position: flow.position,
    side,
    orderId,
    limit: price,
    reduceOnly: false,
    selfTrade: SELF_TRADE.decrement,
    selfTradeScope: SELF_TRADE_SCOPE.account,
    house: true,
    liquidation: undefined,
    lots,
  });
}
