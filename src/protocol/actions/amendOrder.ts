import { defineAction } from "../action.ts";
import { optionalOrderId, optionalPrice, optionalSize, optionalText, optionalTime } from "../fields.ts";

/** Changes size, price or expiry of a resting order. */
export const amendOrder = defineAction({
  name: "amendOrder",
  code: 1,
  domain: "trading",
  scope: "trade",
  doc: "Changes size, price or expiry of a resting order. A smaller size at the same price keeps priority, anything else loses it.",
  needsCollateral: false,
  readsUnsettledFunding: false,
  weight: 54,
  fields: {
    orderId: optionalOrderId("The order; 0 to name it by client order id."),
    clientOrderId: optionalText("The order by its client order id; empty to name it by order id."),
    size: optionalSize("New remaining size; empty leaves it."),
    price: optionalPrice("New limit price; empty leaves it."),
    goodTilHeight: optionalTime("New last height; 0 leaves it."),
    goodTilTime: optionalTime("New last block time in ms; 0 leaves it."),
  },
});
