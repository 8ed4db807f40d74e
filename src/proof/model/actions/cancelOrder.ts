import { findOrder } from "../orders/findOrder.ts";
import { removeOrder } from "../orders/removeOrder.ts";
import { APPLIED, rejected } from "../receipts.ts";
import { actingAccount, type Handler } from "./handler.ts";

/** ORD-4. */
export const applyCancelOrder: Handler<"cancelOrder"> = (state, context, { orderId, clientOrderId }) => {
  const order = findOrder(state, actingAccount(context), orderId, clientOrderId);
  if (typeof order === "string") return rejected(order);
  removeOrder(state, order, "owner");
  return APPLIED;
};
