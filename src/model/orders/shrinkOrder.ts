import { divCeil } from "../arithmetic.ts";
import type { ModelState, Order } from "../state.ts";
import { removeOrder } from "./removeOrder.ts";

/** Makes a resting order smaller where it stands; it keeps its part of the charge, rounded up (MRG-3). */
export function shrinkOrder(state: ModelState, order: Order, remaining: bigint): void {
  if (remaining <= 0n) {
    removeOrder(state, order);
    return;
  }
  order.charge = divCeil(order.charge * remaining, order.remaining);
  order.remaining = remaining;
}
