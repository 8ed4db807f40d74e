import { abs, min, sum } from "../arithmetic.ts";
import { afterPositionClosed } from "../intents/hooks.ts";
import type { ModelState, Order, Position } from "../state.ts";
import type { CancelCause } from "./cancelOrder.ts";
import { removeOrder } from "./removeOrder.ts";
import { resizeOrder } from "./shrinkOrder.ts";

/**
 * When a position is 0 or has reversed, its reduce-only orders are cancelled, the newest first. With `trim` their total
 * never exceeds it (ORD-9). A position that closed or reversed cancels its intents, too (INT-2).
 *
 * @param before its size before the fill
 */
export function fitReduceOnly(state: ModelState, position: Position, before: bigint): void {
  const { signedLots, market } = position;
  const closing = signedLots > 0n ? "sell" : "buy";
  for (const order of reduceOnlyOf(position))
    if (signedLots === 0n || order.side !== closing) removeOrder(state, order, "reduceOnly");
  if (market.parameters.reduceOnlyResting === "trim") trimReduceOnly(state, position);
  if (before !== 0n && (signedLots === 0n || signedLots > 0n !== before > 0n))
    afterPositionClosed(state, position, before);
}

/** Cuts the excess over the position from its reduce-only orders, the newest first, in place (ORD-9). */
export function trimReduceOnly(state: ModelState, position: Position): void {
  const orders = reduceOnlyOf(position);
  let excess = sum(orders, ({ remaining }) => remaining) - abs(position.signedLots);
  for (const order of orders) {
    if (excess <= 0n) break;
    const cut = min(excess, order.remaining);
    excess -= cut;
    cutOrder(state, order, cut, "reduceOnly");
  }
}

/** Resting reduce-only orders of a position, the newest first. */
function reduceOnlyOf({ account, market }: Position): Order[] {
  return [...market.bids, ...market.asks]
    .filter((order) => order.account === account && order.reduceOnly)
    .sort((a, b) => b.opened - a.opened);
}

/** Takes lots off a resting order in place; an empty order is removed. */
export function cutOrder(state: ModelState, order: Order, lots: bigint, cause: CancelCause): void {
  if (lots < order.remaining) resizeOrder(state, order, order.remaining - lots, cause);
  else removeOrder(state, order, cause);
}
