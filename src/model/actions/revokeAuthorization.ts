import { cancelIntents } from "../intents/hooks.ts";
import { removeOrder } from "../orders/removeOrder.ts";
import { APPLIED, rejected } from "../receipts.ts";
import { actingAccount, type Handler } from "./handler.ts";

/** Ends a grant for ever, from this place in the block on; its intents and resting orders go along where that is asked for (AUT). */
export const applyRevokeAuthorization: Handler<"revokeAuthorization"> = (state, context, payload) => {
  const grant = state.grants.get(payload.authorization);
  if (grant === undefined || grant.owner !== actingAccount(context).owner) return rejected("GRANT_NOT_FOUND");
  if (grant.status !== "active" && grant.status !== "scheduled") return rejected("NOTHING_TO_DO");
  grant.status = "revoked";
  if (payload.cancelOrders) {
    cancelIntents(state, "revoked", (intent) => intent.grant === grant);
    for (const order of [...state.orders.values()]) if (order.grant === grant) removeOrder(state, order, "revoked");
  }
  return APPLIED;
};
