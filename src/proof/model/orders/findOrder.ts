import type { RejectionCode } from "../../../protocol/rejections.ts";
import { refuse } from "../receipts.ts";
import type { Account, ModelState, Order } from "../state.ts";

/** An account's resting order by id, by the client's name for it, or by both, which must agree (ORD-4, ACT-3). */
export function findOrder(
  state: ModelState,
  account: Account,
  orderId: number,
  clientOrderId: string,
): Order | RejectionCode {
  if (orderId === 0 && clientOrderId === "") return refuse(state, "ORDER_NOT_FOUND", { clientOrderId });
  if (clientOrderId !== "") {
    const named = [...state.orders.values()].find(
      (order) => order.account === account && order.clientOrderId === clientOrderId,
    );
    if (named !== undefined && (orderId === 0 || orderId === named.id)) return named;
    return refuse(state, "ORDER_NOT_FOUND", orderId === 0 ? { clientOrderId } : { orderId, clientOrderId });
  }
  const order = state.orders.get(orderId);
  if (order === undefined) return refuse(state, "ORDER_NOT_FOUND", { orderId });
  return order.account === account ? order : refuse(state, "NOT_ORDER_OWNER", { orderId });
}
