import { divCeil } from "../arithmetic.ts";
import { emit } from "../emitted.ts";
import type { ModelState, Order } from "../state.ts";
import type { CancelCause } from "./cancelOrder.ts";

/** Shrinks a resting order in place; it keeps its share of the order cost, rounded up (MRG-3). */
export function shrinkOrder(order: Order, remaining: bigint): void {
  order.orderCost = divCeil(order.orderCost * remaining, order.remaining);
  order.remaining = remaining;
}

/** The venue shrinks a resting order, and emits it. */
export function resizeOrder(state: ModelState, order: Order, remaining: bigint, cause: CancelCause): void {
  shrinkOrder(order, remaining);
  emit(state, "orderResized", { order: order.id, remaining, orderCost: order.orderCost, cause });
}
