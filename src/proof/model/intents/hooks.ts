import { max } from "../arithmetic.ts";
import { type CancelCause, cancelOrder } from "../orders/cancelOrder.ts";
import { resizeOrder } from "../orders/shrinkOrder.ts";
import type { Intent, ModelState, Order, Position } from "../state.ts";
import { computeTrailTrigger, watchedPrice } from "./trigger.ts";

/**
 * An order with this id filled `lots`, as maker or taker: entries arm their legs, pairs shrink (INT-2).
 *
 * @param left unfilled lots of the order; the last fill of a leg cancels the other
 */
export function afterFillOfOrder(state: ModelState, orderId: number, lots: bigint, left: bigint): void {
  if (orderId === 0) return;
  for (const leg of legsOf(state, orderId)) if (leg.state !== "triggered") arm(state, leg, lots);
  const intent = state.intents.get(orderId);
  if (intent === undefined) return;
  intent.lots = max(0n, intent.lots - lots);
  intent.filled += lots;
  for (const sibling of siblingsOf(state, intent)) {
    if (left === 0n) cancelIntent(state, sibling);
    else takeFrom(state, sibling, lots);
  }
}

/** An order has ended, after resting or without (INT-2). */
export function afterOrderEnded(state: ModelState, orderId: number): void {
  for (const leg of legsOf(state, orderId)) if (leg.state === "waiting") cancelIntent(state, leg);
  const intent = state.intents.get(orderId);
  if (intent?.state === "triggered") state.intents.delete(orderId);
}

/** A leg of an entry, or a reduce-only intent that is not a schedule: it may outlive its grant (INT-6). */
export function protects({ entry, kind, reduceOnly }: Intent): boolean {
  return entry !== 0 || (kind !== "twap" && reduceOnly);
}

/** A position became flat or reversed: its reduce-only intents end, or wait again while their entry rests (INT-2). */
export function afterPositionClosed(state: ModelState, { account, market }: Position, before: bigint): void {
  for (const intent of [...state.intents.values()]) {
    if (intent.account !== account || intent.market !== market) continue;
    if (!intent.reduceOnly || intent.state !== "armed" || intent.isSlicing) continue;
    if (intent.side !== (before > 0n ? "sell" : "buy")) continue;
    if (intent.entry !== 0 && state.orders.has(intent.entry)) {
      intent.state = "waiting";
      intent.lots = 0n;
    } else cancelIntent(state, intent);
  }
}

/** An order was put on the book or amended (INT-2). */
export function afterOrderRested(_state: ModelState, _order: Order): void {}

/** Ends an intent and cancels its resting order for `cause`. */
export function cancelIntent(state: ModelState, intent: Intent, cause: CancelCause = "intent"): void {
  state.intents.delete(intent.id);
  const order = intent.state === "triggered" ? state.orders.get(intent.id) : undefined;
  if (order !== undefined) cancelOrder(state, order, cause);
}

/** Cancels the intents for which a test holds, by id. */
export function cancelIntents(state: ModelState, cause: CancelCause, picks: (intent: Intent) => boolean): void {
  for (const intent of [...state.intents.values()]) if (picks(intent)) cancelIntent(state, intent, cause);
}

/** Legs that wait for fills of an entry order, or already have some. */
function legsOf(state: ModelState, entry: number): Intent[] {
  return [...state.intents.values()].filter((intent) => intent.entry === entry && entry !== 0);
}

function siblingsOf(state: ModelState, intent: Intent): Intent[] {
  return [...state.intents.values()].filter((other) => other !== intent && other.group === intent.group);
}

/** A leg grows by the fills of its entry; from the first fill on it watches its price (INT-2). */
function arm(state: ModelState, leg: Intent, lots: bigint): void {
  leg.lots += lots;
  if (leg.state !== "waiting") return;
  leg.state = "armed";
  leg.armedHeight = state.height;
  if (leg.kind !== "trailingStop") return;
  leg.extreme = watchedPrice(leg.market, leg.source);
  leg.trigger = computeTrailTrigger(leg, leg.extreme);
}

/** Fills of one leg shrink the other leg and its resting order (INT-2). */
function takeFrom(state: ModelState, sibling: Intent, lots: bigint): void {
  if (sibling.fraction !== 0n && sibling.state === "armed") return;
  sibling.lots -= lots;
  if (sibling.lots <= 0n) {
    cancelIntent(state, sibling);
    return;
  }
  const order = sibling.state === "triggered" ? state.orders.get(sibling.id) : undefined;
  if (order !== undefined && order.remaining > sibling.lots) resizeOrder(state, order, sibling.lots, "intent");
}
