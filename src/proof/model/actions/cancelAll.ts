import type { DemandOf } from "../authorization/demand.ts";
import { cancelIntents } from "../intents/hooks.ts";
import { findMarket } from "../market/createMarket.ts";
import { removeOrder } from "../orders/removeOrder.ts";
import { APPLIED, rejected } from "../receipts.ts";
import { actingAccount, type Handler, type ModelAction } from "./handler.ts";

const demand: DemandOf<"cancelAll"> = ({ market }) => ({ scope: "cancel", markets: market === "" ? "all" : [market] });

/**
 * Cancels all resting orders of the subaccount, in one market or in all, and its intents if the action asks for it
 * (ORD-4).
 */
const apply: Handler<"cancelAll"> = (state, context, { market: name, intents }) => {
  const account = actingAccount(context);
  const market = name === "" ? undefined : findMarket(state, name);
  if (name !== "" && market === undefined) return rejected("MARKET_NOT_FOUND");
  const isMeant = (of: { readonly account: object; readonly market: object }) =>
    of.account === account && (market === undefined || of.market === market);
  for (const order of [...state.orders.values()].filter(isMeant))
    if (state.orders.has(order.id)) removeOrder(state, order, "owner");
  if (intents) cancelIntents(state, "owner", isMeant);
  return APPLIED;
};

export const cancelAll: ModelAction<"cancelAll"> = { domain: "risk", demand, apply };
