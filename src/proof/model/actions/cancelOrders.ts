import type { ActionResult } from "../../../protocol/receipt.ts";
import type { RejectionNumbers } from "../../../protocol/rejections.ts";
import { type DemandOf, findNamed, marketsOf } from "../authorization/demand.ts";
import { findOrder } from "../orders/findOrder.ts";
import { removeOrder } from "../orders/removeOrder.ts";
import { rejected } from "../receipts.ts";
import type { ModelState } from "../state.ts";
import { actingAccount, type Handler, type ModelAction } from "./handler.ts";

/** Numbers of the last rejection, in the form of a result. */
function numbersOf({ refusal }: ModelState): RejectionNumbers {
  return Object.fromEntries(
    Object.entries(refusal?.numbers ?? {}).map(([name, value]) => [
      name,
      typeof value === "bigint" ? Number(value) : value,
    ]),
  );
}

const demand: DemandOf<"cancelOrders"> = ({ orderIds, clientOrderIds }, state, account) => ({
  scope: "cancel",
  markets: marketsOf([
    ...orderIds.map((id) => findNamed(state, account, id, "")),
    ...clientOrderIds.map((name) => findNamed(state, account, 0, name)),
  ]),
});

/** Cancels each order on its own, with the numbers of a single cancellation: first by id, then by name (ORD-4). */
const apply: Handler<"cancelOrders"> = (state, context, { orderIds, clientOrderIds }) => {
  if (orderIds.length + clientOrderIds.length === 0) return rejected("NOTHING_TO_DO");
  const account = actingAccount(context);
  const cancel = (orderId: number, clientOrderId: string): ActionResult => {
    const order = findOrder(state, account, orderId, clientOrderId);
    if (typeof order === "string") return { orderId, status: "rejected", code: order, numbers: numbersOf(state) };
    removeOrder(state, order, "owner");
    return { orderId: order.id, status: "cancelled" };
  };
  return { results: [...orderIds.map((id) => cancel(id, "")), ...clientOrderIds.map((name) => cancel(0, name))] };
};

export const cancelOrders: ModelAction<"cancelOrders"> = { domain: "trading", demand, apply };
