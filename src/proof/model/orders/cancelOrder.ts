import type { CANCEL_CAUSES } from "../../../protocol/events.ts";
import { emit } from "../emitted.ts";
import type { ModelState, Order } from "../state.ts";
import { removeFromBook } from "./removeFromBook.ts";

/** Why an order, or what is left of it, goes. */
export type CancelCause = (typeof CANCEL_CAUSES)[number];

/** Takes a resting order off the book (ORD-4), where the caller knows what it means for intents. */
export function cancelOrder(state: ModelState, order: Order, cause: CancelCause): void {
  removeFromBook(state, order);
  emitCancelled(state, order, order.remaining, cause);
}

/** Says that what is left of an order is gone, also of one that never rested. */
export function emitCancelled(
  state: ModelState,
  { id, account, market }: Pick<Order, "id" | "account" | "market">,
  remaining: bigint,
  cause: CancelCause,
): void {
  emit(state, "orderCancelled", { order: id, account: account.id, market: market.ordinal, remaining, cause });
}
