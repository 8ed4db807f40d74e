import { divCeil } from "../arithmetic.ts";
import type { Order } from "../state.ts";

/** Makes a resting order smaller where it stands; it keeps its part of the charge, rounded up (MRG-3). */
export function shrinkOrder(order: Order, remaining: bigint): void {
  order.charge = divCeil(order.charge * remaining, order.remaining);
  order.remaining = remaining;
}
