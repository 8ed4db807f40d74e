import type { ModelState, Order } from "../state.ts";

/** Removes an order from the book and the table without an event. */
export function removeFromBook(state: ModelState, order: Order): void {
  const { market } = order;
  market.bids = market.bids.filter((other) => other !== order);
  market.asks = market.asks.filter((other) => other !== order);
  state.orders.delete(order.id);
}
