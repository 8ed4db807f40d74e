import { cancelIntents } from "../intents/hooks.ts";
import { removeOrder } from "../orders/removeOrder.ts";
import type { ModelState } from "../state.ts";

/** Step 4: orders, intents, authorizations, scheduled cancels. */
export function expire(state: ModelState): void {
  const { height, timeMs } = state;
  /** The block is past the last height, or past the last block time; 0 for none. */
  const isPast = (until: { readonly goodTilHeight: number; readonly goodTilTime: number }) =>
    (until.goodTilHeight !== 0 && until.goodTilHeight < height) ||
    (until.goodTilTime !== 0 && until.goodTilTime < timeMs);
  for (const order of [...state.orders.values()]) if (isPast(order)) removeOrder(state, order, "expired");
  cancelIntents(state, "expired", (intent) => intent.state !== "triggered" && isPast(intent));
  for (const grant of state.grants.values()) {
    if (grant.status === "scheduled" && grant.validFrom <= timeMs) grant.status = "active";
    const mayEnd = grant.status === "scheduled" || grant.status === "active";
    if (mayEnd && grant.expiresAt <= timeMs) grant.status = "expired";
  }
  for (const account of state.accounts) {
    if (account.cancelTime === 0 || account.cancelTime > timeMs) continue;
    account.cancelTime = 0;
    for (const order of [...state.orders.values()])
      if (order.account === account) removeOrder(state, order, "scheduled");
    cancelIntents(state, "scheduled", (intent) => intent.account === account);
  }
}
