import { NONE } from "../../../ground/collections/table.ts";
import { CANCEL_CAUSE } from "../../../protocol/events.ts";
import { dropOrder } from "../book/orders.ts";
import { type AccountRow, FLAG_REDUCE_ONLY, FLAG_SELL, type PositionRow } from "../state/schema.ts";
import type { State } from "../state/state.ts";

/**
 * Cancels orders that may add risk (LIQ-1): everything but reduce-only orders and, oldest first, orders on the closing
 * side as far as the position reaches. Orders of isolated positions reserve from cross, so the cross margin account's
 * step takes them, too.
 */
export function cancelIncreasing(state: State, account: AccountRow, isolated: PositionRow): void {
  const { positions, orders } = state;
  let next = state.accounts.position[account];
  while (next !== NONE) {
    const at = next;
    next = positions.next[at];
    if (isolated !== NONE && at !== isolated) continue;
    const signedLots: number = positions.signedLots[at];
    const closingSell = signedLots > 0;
    let excess = (closingSell ? positions.sells[at] : positions.buys[at]) - Math.abs(signedLots);
    let order = positions.orders[at]; // newest first
    while (order !== NONE) {
      const older = orders.older[order];
      const flags = orders.flags[order];
      if ((flags & FLAG_REDUCE_ONLY) === 0) {
        const closes = signedLots !== 0 && ((flags & FLAG_SELL) !== 0) === closingSell;
        if (!closes || excess > 0) {
          if (closes) excess -= orders.remaining[order];
          dropOrder(state, order, CANCEL_CAUSE.liquidation);
        }
      }
      order = older;
    }
  }
}
