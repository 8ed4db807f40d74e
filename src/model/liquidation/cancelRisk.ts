import { abs } from "../arithmetic.ts";
import type { Order, Position } from "../state.ts";

/**
 * Orders of an account in a market that may add to its position: all but reduce-only ones and, oldest first, those on the
 * closing side as far as the position reaches (LIQ-1).
 */
export function cancelRiskIncreasing({ account, market, size }: Position): Order[] {
  const mine = [...market.bids, ...market.asks]
    .filter((order) => order.account === account && !order.reduceOnly)
    .sort((a, b) => a.id - b.id);
  const closing = size > 0n ? "sell" : "buy";
  let room = abs(size);
  return mine.filter((order) => {
    if (size === 0n || order.side !== closing || order.remaining > room) return true;
    room -= order.remaining;
    return false;
  });
}
