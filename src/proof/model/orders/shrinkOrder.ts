import { divCeil } from "../arithmetic.ts";
import { emit } from "../emitted.ts";
import type { ModelState, Order } from "../state.ts";
import type { CancelCause } from "./cancelOrder.ts";

/** Makes a resting order smaller where it stands; it keeps its part of the charge, rounded up (MRG-3). */
export function shrinkOrder(order: Order, remaining: bigint): void {
  order.orderCost = divCeil(order.orderCost * remaining, order.remaining);
  order.remaining = remaining;
}

/** The venue makes a resting order smaller, and says so. */
export function resizeOrder(state: ModelState, order: Order, remaining: bigint, cause: CancelCause): void {
  shrinkOrder(order, remaining);
  emit(state, "orderResized", { order: order.id, remaining, orderCost: order.orderCost, cause });
}
