import { type DemandOf, findNamed, marketsOf } from "../authorization/demand.ts";
import { findOrder } from "../orders/findOrder.ts";
import { removeOrder } from "../orders/removeOrder.ts";
import { APPLIED, rejected } from "../receipts.ts";
import { actingAccount, type Handler, type ModelAction } from "./handler.ts";

const demand: DemandOf<"cancelOrder"> = ({ orderId, clientOrderId }, state, account) => ({
  scope: "cancel",
  markets: marketsOf([findNamed(state, account, orderId, clientOrderId)]),
});

/** ORD-4. */
const apply: Handler<"cancelOrder"> = (state, context, { orderId, clientOrderId }) => {
  const order = findOrder(state, actingAccount(context), orderId, clientOrderId);
  if (typeof order === "string") return rejected(order);
  removeOrder(state, order, "owner");
  return APPLIED;
};

export const cancelOrder: ModelAction<"cancelOrder"> = { domain: "trading", demand, apply };
