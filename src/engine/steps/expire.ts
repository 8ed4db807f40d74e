import { CANCEL_CAUSE } from "../../protocol/events.ts";
import { dropOrder } from "../book/orders.ts";
import type { OrderRow } from "../state/schema.ts";
import type { State } from "../state/state.ts";

/** Step 4 of a block: takes away what has expired. Cost: once per expiry, and nothing while there is none. */
export function expire(state: State): void {
  const { byHeight, byTime } = state.expiries;
  if (byHeight.least() < state.height || byTime.least() < state.timeMs) expireOrders(state);
}

/** Cancels the orders whose last height or last block time lies behind this block (ORD-2), by order id. */
function expireOrders(state: State): void {
  const { orders } = state;
  const { byHeight, byTime } = state.expiries;
  const due: OrderRow[] = [];
  const take = (heap: typeof byHeight, now: number) => {
    while (heap.least() < now) {
      const order = heap.top() as OrderRow;
      byHeight.remove(order);
      byTime.remove(order);
      due.push(order);
    }
  };
  take(byHeight, state.height);
  take(byTime, state.timeMs);
  due.sort((a, b) => orders.id[a] - orders.id[b]);
  for (const order of due) dropOrder(state, order, CANCEL_CAUSE.expired);
}
