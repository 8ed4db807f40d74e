import type { CANCEL_CAUSES } from "../../../protocol/events.ts";
import { emit } from "../emitted.ts";
import type { ModelState, Order } from "../state.ts";
import { removeFromBook } from "./removeFromBook.ts";

/** Why an order, or the rest of it, is cancelled. */
export type CancelCause = (typeof CANCEL_CAUSES)[number];

/** Takes a resting order off the book (ORD-4); the caller updates the intents that depend on it. */
export function cancelOrder(state: ModelState, order: Order, cause: CancelCause): void {
  removeFromBook(state, order);
  emitCancelled(state, order, order.remaining, cause);
}

/** Emits that the rest of an order is cancelled, also of one that never rested. */
export function emitCancelled(
  state: ModelState,
  { id, account, market }: Pick<Order, "id" | "account" | "market">,
  remaining: bigint,
  cause: CancelCause,
): void {
  emit(state, "orderCancelled", { order: id, account: account.id, market: market.ordinal, remaining, cause });
}
