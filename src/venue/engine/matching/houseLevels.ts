/**
 * The house's lots at one price of a recorded book (ACC-2). The book's own levels find them, not the account's list of
 * orders. So a book of many levels costs one queue for each level that changes.
 */
import { NONE } from "../../../ground/collections/table.ts";
import type { Lots, Ticks } from "../../../ground/math/fixed.ts";
import { CANCEL_CAUSE } from "../../../protocol/events.ts";
import { SIDE } from "../../../protocol/words.ts";
import { cancelRow } from "../book/orders.ts";
import { FLAG_REDUCE_ONLY, FLAG_SELL, type OrderRow } from "../state/schema.ts";
import type { State } from "../state/state.ts";
import { type Flow, resizeQuote, restOrder } from "./house.ts";

/**
 * Makes the house's lots at a price and side equal to `lots`. More lots join the back of the queue: the last order
 * there grows if it is the house's, and otherwise a new order opens. Fewer lots are taken from the back.
 */
export function setLevel(state: State, flow: Flow, side: number, price: Ticks, lots: Lots): void {
  const { orders } = state;
  const last = state.books[flow.market]!.tail(price);
  let there = 0;
  for (let at = last; at !== NONE; at = orders.levelPrevious[at]) {
    if (isQuote(state, flow, side, at)) there += orders.remaining[at];
  }
  if (lots < there) {
    takeBack(state, flow, side, last, there - lots);
  } else if (lots > there) {
    const more = lots - there;
    if (last !== NONE && isQuote(state, flow, side, last)) {
      resizeQuote(state, last, (orders.remaining[last] + more) as Lots);
    } else {
      restOrder(state, flow, side, price, more as Lots);
    }
  }
}

/** Takes lots of the house from the front of the queue at a price, at most those that it has there. */
export function takeAhead(state: State, flow: Flow, side: number, price: Ticks, lots: Lots): void {
  const { orders } = state;
  let left: number = lots;
  for (let at = state.books[flow.market]!.head(price); at !== NONE && left > 0; ) {
    const next: OrderRow = orders.levelNext[at];
    if (isQuote(state, flow, side, at)) left -= take(state, at, left);
    at = next;
  }
}

function takeBack(state: State, flow: Flow, side: number, last: OrderRow, lots: number): void {
  const { orders } = state;
  let left = lots;
  for (let at = last; at !== NONE && left > 0; ) {
    const previous: OrderRow = orders.levelPrevious[at];
    if (isQuote(state, flow, side, at)) left -= take(state, at, left);
    at = previous;
  }
}

/** Takes lots of a quote, all of them if there are no more. Returns how many were taken. */
function take(state: State, order: OrderRow, lots: number): number {
  const remaining: number = state.orders.remaining[order];
  if (remaining > lots) {
    resizeQuote(state, order, (remaining - lots) as Lots);
    return lots;
  }
  cancelRow(state, order, CANCEL_CAUSE.replaced);
  return remaining;
}

/** Whether an order is a quote of the flow's house on a side. */
function isQuote({ orders }: State, { position }: Flow, side: number, order: OrderRow): boolean {
  const flags = side === SIDE.sell ? FLAG_SELL : 0;
  return orders.position[order] === position && (orders.flags[order] & (FLAG_SELL | FLAG_REDUCE_ONLY)) === flags;
}
