import { afterOrderEnded } from "../intents/hooks.ts";
import type { ModelState, Order } from "../state.ts";
import { takeOff } from "./takeOff.ts";

/** Takes a resting order off the book, whatever the cause (ORD-4). */
export function removeOrder(state: ModelState, order: Order): void {
  takeOff(state, order);
  afterOrderEnded(state, order.id);
}
