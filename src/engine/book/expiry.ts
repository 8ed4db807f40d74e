import type { TimeMs } from "../../math/fixed.ts";
import { FLAG_EXPIRES, type OrderRow } from "../state/schema.ts";
import type { State } from "../state/state.ts";

/** Gives a resting order a last height and a last block time, 0 for none; it had none before (ORD-2). */
export function setExpiry(state: State, order: OrderRow, height: number, timeMs: number): void {
  const { orders, expiries } = state;
  orders.goodTilHeight[order] = height;
  orders.goodTilTime[order] = timeMs as TimeMs;
  orders.flags[order] |= FLAG_EXPIRES;
  if (height !== 0) expiries.byHeight.insert(order, height);
  if (timeMs !== 0) expiries.byTime.insert(order, timeMs);
}

/** Takes the expiry of a resting order away. */
export function clearExpiry(state: State, order: OrderRow): void {
  const { orders, expiries } = state;
  if (orders.goodTilHeight[order] !== 0) expiries.byHeight.remove(order);
  if (orders.goodTilTime[order] !== 0) expiries.byTime.remove(order);
  orders.goodTilHeight[order] = 0;
  orders.goodTilTime[order] = 0 as TimeMs;
  orders.flags[order] &= ~FLAG_EXPIRES;
}

/** Whether an expiry lies behind the present block. */
export function isExpired(state: State, height: number, timeMs: number): boolean {
  return (height !== 0 && height < state.height) || (timeMs !== 0 && timeMs < state.timeMs);
}
