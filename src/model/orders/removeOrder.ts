import { afterOrderEnded } from "../intents/hooks.ts";
import type { ModelState, Order } from "../state.ts";

/** Takes a resting order off the book, whatever the cause (ORD-4). */
export function removeOrder(state: ModelState, order: Order): void {
  takeOff(state, order);
  afterOrderEnded(state, order.id);
}

/** Off the book and the table, with nobody told. */
export function takeOff(state: ModelState, order: Order): void {
  const { market } = order;
  market.bids = market.bids.filter((other) => other !== order);
  market.asks = market.asks.filter((other) => other !== order);
  state.orders.delete(order.id);
}
