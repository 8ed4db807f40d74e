import { emitAmended, sideOf } from "../orders/book.ts";
import { removeOrder } from "../orders/removeOrder.ts";
import type { Account, Market, ModelState, Order, Side } from "../state.ts";

/** Orders of the house on a side, oldest first. */
export function ordersOf(market: Market, house: Account, side: Side): Order[] {
  return sideOf(market, side)
    .filter(({ account }) => account === house)
    .sort((a, b) => a.opened - b.opened);
}

/** Whether an order is a quote of the house: not reduce-only (ACC-1). */
export function isQuote(order: Order, house: Account): boolean {
  return order.account === house && !order.reduceOnly;
}

/** A quote keeps its place and gets another size; a quote that already has it does not change (ACC-1). */
export function resizeQuote(state: ModelState, order: Order, remaining: bigint): void {
  if (order.remaining === remaining) return;
  order.remaining = remaining;
  emitAmended(state, order, { ...order, requeued: false, rests: true });
}

/** The house takes an order back. */
export function takeBack(state: ModelState, order: Order): void {
  removeOrder(state, order, "replaced");
}
