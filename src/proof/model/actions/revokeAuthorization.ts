import { type DemandOf, NO_MARKETS, OWNER } from "../authorization/demand.ts";
import { cancelIntent, protects } from "../intents/hooks.ts";
import { removeOrder } from "../orders/removeOrder.ts";
import { APPLIED, rejected } from "../receipts.ts";
import { actingAccount, type Handler, type ModelAction } from "./handler.ts";

const demand: DemandOf<"revokeAuthorization"> = ({ authorization }, _state, _account, grant) =>
  authorization === grant.id ? { scope: "any", markets: NO_MARKETS } : OWNER;

/**
 * Ends a grant for ever, from the next transaction on. Its protecting intents fail, and their entries are cancelled.
 * Its other intents and resting orders are cancelled if the action asks for it (AUT, INT-6).
 */
const apply: Handler<"revokeAuthorization"> = (state, context, payload) => {
  const grant = state.grants.get(payload.authorization);
  if (grant === undefined || grant.owner !== actingAccount(context).owner) return rejected("GRANT_NOT_FOUND");
  if (grant.status !== "active" && grant.status !== "scheduled") return rejected("NOTHING_TO_DO");
  grant.status = "revoked";
  const unprotected = new Set<number>();
  for (const intent of [...state.intents.values()]) {
    if (intent.grant !== grant) continue;
    if (protects(intent) && intent.state !== "triggered") {
      unprotected.add(intent.entry);
      state.intents.delete(intent.id);
    } else if (payload.cancelOrders) cancelIntent(state, intent, "revoked");
  }
  for (const order of [...state.orders.values()]) {
    const goes = unprotected.has(order.id) || (payload.cancelOrders && order.grant === grant);
    if (goes && state.orders.get(order.id) === order) removeOrder(state, order, "revoked");
  }
  return APPLIED;
};

export const revokeAuthorization: ModelAction<"revokeAuthorization"> = { domain: "admin", demand, apply };
