import { defineAction } from "../action.ts";
import { optionalOrderId, optionalText } from "../fields.ts";

/** Cancels one resting order. */
export const cancelOrder = defineAction({
  name: "cancelOrder",
  code: 2,
  domain: "trading",
  scope: "cancel",
  doc: "Cancels one resting order.",
  needsCollateral: false,
  readsUnsettledFunding: false,
  weight: 48,
  fields: {
    orderId: optionalOrderId("The order; 0 to name it by client order id."),
    clientOrderId: optionalText("The order by its client order id; empty to name it by order id."),
  },
});
