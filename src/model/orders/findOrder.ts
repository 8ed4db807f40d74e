import type { RejectionCode } from "../../protocol/rejections.ts";
import type { Account, ModelState, Order } from "../state.ts";

/** An account's resting order by id, or by its own name for it (ORD-4). */
export function findOrder(
  state: ModelState,
  account: Account,
  orderId: number,
  clientOrderId: string,
): Order | RejectionCode {
  if (orderId === 0 && clientOrderId !== "") {
    const named = [...state.orders.values()].find(
      (order) => order.account === account && order.clientOrderId === clientOrderId,
    );
    return named ?? "ORDER_NOT_FOUND";
  }
  const order = state.orders.get(orderId);
  if (order === undefined) return "ORDER_NOT_FOUND";
  return order.account === account ? order : "NOT_ORDER_OWNER";
}
