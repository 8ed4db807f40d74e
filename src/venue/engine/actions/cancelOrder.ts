import { CANCEL_CAUSE } from "../../../protocol/events.ts";
import { dropOrder } from "../book/orders.ts";
import { defineHandler, type Plan } from "../handler/defineHandler.ts";
import { findOwnOrder } from "../handler/findOrder.ts";
import type { OrderRow } from "../state/schema.ts";

/** Removes one resting order and frees what it reserved. */
export const handleCancelOrder = defineHandler<"cancelOrder">("cancelOrder")<Plan & { readonly order: OrderRow }>({
  check(state, { account }, { orderId, clientOrderId }) {
    const order = findOwnOrder(state, account, orderId, clientOrderId);
    return typeof order === "number" ? { rejected: false, order } : order;
  },

  apply(state, _context, { order }) {
    dropOrder(state, order, CANCEL_CAUSE.owner);
  },
});
