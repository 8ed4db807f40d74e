import { NONE } from "../../../ground/collections/table.ts";
import type { AccountRow, OrderRow } from "../state/schema.ts";
import type { State } from "../state/state.ts";
import { type Rejection, reject } from "./defineHandler.ts";

/** A client order id names one open order of a subaccount (ORD-4). */
export function checkClientId(state: State, account: AccountRow, clientOrderId: string): Rejection | undefined {
  const open = clientOrderId === "" ? NONE : state.clients.find(account, clientOrderId);
  if (open === NONE) return undefined;
  return reject("CLIENT_ORDER_ID_USED", { clientOrderId, orderId: state.orders.id[open as OrderRow] });
}

/**
 * The resting order that an account names by order id, by client order id, or by both. With both, the order must have
 * both (ACT-3).
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
