import { abs, sum } from "../arithmetic.ts";
import type { Order, Position } from "../state.ts";

/**
 * Cancels orders of an account in a market that could add to its position. Two kinds stay: reduce-only ones and, oldest
 * first, those on the closing side up to the position's size. The newest are cancelled while more than that rests
 * (LIQ-1).
 */
export function ordersAddingTo({ account, market, signedLots }: Position): Order[] {
  const mine = [...market.bids, ...market.asks].filter((order) => order.account === account && !order.reduceOnly);
  const closing = signedLots > 0n ? "sell" : "buy";
  const closes = (order: Order) => signedLots !== 0n && order.side === closing;
  let excess = sum(mine.filter(closes), ({ remaining }) => remaining) - abs(signedLots);
  return mine
    .sort((a, b) => b.sequence - a.sequence)
    .filter((order) => {
      if (!closes(order)) return true;
      if (excess <= 0n) return false;
      excess -= order.remaining;
      return true;
    });
}
