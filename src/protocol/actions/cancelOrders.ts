import { defineAction } from "../action.ts";
import { list, orderId, text } from "../fields.ts";

/** Cancels several resting orders, each on its own: the receipt has a result for every one. */
export const cancelOrders = defineAction({
  name: "cancelOrders",
  code: 3,
  domain: "trading",
  scope: "cancel",
  doc: "Cancels several resting orders, each on its own: the receipt has a result for every one.",
  needsCollateral: false,
  readsUnsettledFunding: false,
  weight: 18,
  fields: {
    orderIds: list(orderId("An order."), 50, "Orders by order id."),
    clientOrderIds: list(text("An order's client order id."), 50, "Orders by client order id."),
  },
});
