import { NONE } from "../../collections/table.ts";
import type { AccountRow, OrderRow } from "../state/schema.ts";
import type { State } from "../state/state.ts";
import { type Rejection, reject } from "./defineHandler.ts";

/**
 * The resting order that an account names by order id, by client order id, or by both: then it must have both (ACT-3).
 *
 * @returns its row, or why not
 */
export function findOwnOrder(
  state: State,
  account: AccountRow,
  orderId: number,
  clientOrderId: string,
): OrderRow | Rejection {
  const { orders, positions } = state;
  if (orderId === 0) {
    const named = clientOrderId === "" ? (NONE as OrderRow) : state.clients.find(account, clientOrderId);
    return named === NONE ? reject("ORDER_NOT_FOUND", { clientOrderId }) : named;
  }
  const row = state.orderIndex.find(orders, orderId);
  if (clientOrderId !== "" && (row === NONE || state.clients.find(account, clientOrderId) !== row)) {
    return reject("ORDER_NOT_FOUND", { orderId, clientOrderId });
  }
  if (row === NONE) return reject("ORDER_NOT_FOUND", { orderId });
  if (positions.account[orders.position[row]] !== account) return reject("NOT_ORDER_OWNER", { orderId });
  return row;
}
