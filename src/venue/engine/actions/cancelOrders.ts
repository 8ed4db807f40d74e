import { CANCEL_CAUSE } from "../../../protocol/events.ts";
import type { ActionResult } from "../../../protocol/receipt.ts";
import { dropOrder } from "../book/orders.ts";
import { defineHandler, type Plan, reject } from "../handler/defineHandler.ts";
import { findOwnOrder } from "../handler/findOrder.ts";

interface CancelOrdersPlan extends Plan {
  readonly names: readonly { readonly orderId: number; readonly clientOrderId: string }[];
}

/** Removes several resting orders, each on its own: an unknown one does not affect the others. */
export const handleCancelOrders = defineHandler<"cancelOrders">("cancelOrders")<CancelOrdersPlan>({
  check(_state, _context, { orderIds, clientOrderIds }) {
    if (orderIds.length + clientOrderIds.length === 0) return reject("NOTHING_TO_DO", { entries: 0 });
    const names = [
      ...orderIds.map((orderId) => ({ orderId: orderId as number, clientOrderId: "" })),
      ...clientOrderIds.map((clientOrderId) => ({ orderId: 0, clientOrderId })),
    ];
    return { rejected: false, names };
  },

  apply(state, context, { names }) {
    context.results = names.map(({ orderId, clientOrderId }): ActionResult => {
      const order = findOwnOrder(state, context.account, orderId, clientOrderId);
      if (typeof order !== "number") {
        const { code, numbers } = order;
        return { orderId, status: "rejected", code, ...(numbers === undefined ? {} : { numbers }) };
      }
      const id = state.orders.id[order];
      dropOrder(state, order, CANCEL_CAUSE.owner);
      return { orderId: id, status: "cancelled" };
    });
  },
});
