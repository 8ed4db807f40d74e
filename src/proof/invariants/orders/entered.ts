import { NONE } from "../../../ground/collections/table.ts";
import type { Payloads } from "../../../protocol/actions/index.ts";
import { ORDERS_PER_TRANSACTION } from "../../../venue/engine/handler/defineHandler.ts";
import type { OrderRow } from "../../../venue/engine/state/schema.ts";
import type { Moment } from "../machinery/moment.ts";

/** The order that the transaction asked for under an id, alone or as a leg of its list; undefined for any other id. */
export function findEntered(moment: Moment, id: number): Payloads["placeOrder"] | undefined {
  const { transaction, ledger } = moment;
  if (transaction === undefined || moment.index === NONE) return undefined;
  const { action, payload } = transaction;
  if (action !== "placeOrder" && action !== "placeOrders") return undefined;
  const leg = id - (ledger.consumed - 1) * ORDERS_PER_TRANSACTION;
  if (leg < 0 || leg >= ORDERS_PER_TRANSACTION) return undefined;
  if (action === "placeOrder") return leg === 0 ? (payload as Payloads["placeOrder"]) : undefined;
  return (payload as Payloads["placeOrders"]).orders[leg];
}

/** Whether an order that the moment touched rested before it. */
export function wasResting(moment: Moment, id: number): boolean {
  return findRested(moment, id) !== NONE;
}

/** Row in `ledger.was` of an order that rested before the moment and that the moment touched; NONE otherwise. */
export function findRested({ ledger }: Moment, id: number): OrderRow {
  const { list, count } = ledger.orders;
  for (let at = 0; at < count; at++) {
    const row = list[at]! as OrderRow;
    if (ledger.was.orders.id[row] === id) return row;
  }
  return NONE as OrderRow;
}
