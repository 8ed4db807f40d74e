import { defineAction } from "../action.ts";
import { list, record, word } from "../fields.ts";
import { BATCH_MODES } from "../words.ts";
import { placeOrder } from "./placeOrder.ts";

/** Enters several orders in their order, all of them or each on its own. */
export const placeOrders = defineAction({
  name: "placeOrders",
  code: 17,
  domain: "trading",
  scope: "trade",
  doc: "Enters several orders, one after the other. `all`: a rejected order, or a fill-or-kill that would not fill, undoes all of them. `each`: the receipt has a result for every order.",
  needsCollateral: true,
  readsUnsettledFunding: false,
  weight: 36,
  fields: {
    mode: word(BATCH_MODES, "Whether a rejected order undoes the others."),
    orders: list(
      record("Order", placeOrder.fields, "An order.", placeOrder.rules),
      50,
      "Orders, as placeOrder takes them.",
    ),
  },
});
