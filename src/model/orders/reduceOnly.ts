import { abs, min, sum } from "../arithmetic.ts";
import { afterPositionClosed } from "../intents/hooks.ts";
import type { ModelState, Order, Position } from "../state.ts";
import type { CancelCause } from "./cancelOrder.ts";
import { removeOrder } from "./removeOrder.ts";
import { resizeOrder } from "./shrinkOrder.ts";

/**
 * Resting reduce-only orders never add up to more than their position: the excess is taken off the newest first, in place,
 * and an order that no longer closes anything goes (ORD-2). A position that closed or turned takes its intents along (INT-2).
 *
 * @param before its size before the fill
 */
export function fitReduceOnly(state: ModelState, position: Position, before: bigint): void {
  const { account, market, size } = position;
  const mine = [...market.bids, ...market.asks].filter((order) => order.account === account && order.reduceOnly);
  const closing = size > 0n ? "sell" : "buy";
  for (const order of mine) if (size === 0n || order.side !== closing) removeOrder(state, order, "reduceOnly");
  const left = mine.filter((order) => size !== 0n && order.side === closing).sort((a, b) => b.opened - a.opened);
  let excess = sum(left, ({ remaining }) => remaining) - abs(size);
  for (const order of left) {
    if (excess <= 0n) break;
    const cut = min(excess, order.remaining);
    excess -= cut;
    cutOrder(state, order, cut, "reduceOnly");
  }
  if (before !== 0n && (size === 0n || size > 0n !== before > 0n)) afterPositionClosed(state, position, before);
}

/** Takes lots off a resting order in its place; one with nothing left goes. */
export function cutOrder(state: ModelState, order: Order, lots: bigint, cause: CancelCause): void {
  if (lots < order.remaining) resizeOrder(state, order, order.remaining - lots, cause);
  else removeOrder(state, order, cause);
}
