import { NONE } from "../../collections/table.ts";
import type { Lots } from "../../math/fixed.ts";
import { CANCEL_CAUSE } from "../../protocol/events.ts";
import { removeOrder, shrinkOrder } from "../book/orders.ts";
import { FLAG_REDUCE_ONLY, FLAG_SELL, type PositionRow } from "../state/schema.ts";
import type { State } from "../state/state.ts";

/**
 * Keeps the sum of resting reduce-only orders within the position: the excess is taken off the newest first, and orders
 * that no longer close anything go (ORD-2). The position row stays. Cost: once per resting order of the position.
 */
export function trimReduceOnly(state: State, position: PositionRow): void {
  const { positions, orders } = state;
  if (positions.reduceOnly[position] === 0) return;
  const size = positions.size[position];
  let at = positions.orders[position];
  while (at !== NONE) {
    const older = orders.older[at];
    const flags = orders.flags[at];
    if ((flags & FLAG_REDUCE_ONLY) !== 0) {
      const closes = (flags & FLAG_SELL) !== 0 ? size > 0 : size < 0;
      const room = closes ? Math.abs(size) : 0;
      const excess = positions.reduceOnly[position] - room;
      if (excess <= 0 && closes) return;
      const remaining = orders.remaining[at];
      if (!closes || excess >= remaining) {
        state.events.orderCancelled({
          order: orders.id[at],
          account: positions.account[position],
          market: positions.market[position],
          remaining,
          cause: CANCEL_CAUSE.reduceOnly,
        });
        removeOrder(state, at);
      } else {
        shrinkOrder(state, at, (remaining - excess) as Lots);
        state.events.orderResized({
          order: orders.id[at],
          remaining: orders.remaining[at],
          charge: orders.charge[at],
          cause: CANCEL_CAUSE.reduceOnly,
        });
      }
    }
    at = older;
  }
}
