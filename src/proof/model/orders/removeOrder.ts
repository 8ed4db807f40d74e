import { afterOrderEnded } from "../intents/hooks.ts";
import type { ModelState, Order } from "../state.ts";
import { type CancelCause, cancelOrder } from "./cancelOrder.ts";

/** Takes a resting order off the book (ORD-4), and ends the legs that wait for it. */
export function removeOrder(state: ModelState, order: Order, cause: CancelCause): void {
  cancelOrder(state, order, cause);
  afterOrderEnded(state, order.id);
}
