import type { Payloads } from "../../../protocol/actions/index.ts";
import { CANCEL_CAUSE, EVENT_CODES } from "../../../protocol/events.ts";
import { TIME_IN_FORCE } from "../../../protocol/words.ts";
import { EVENT_WIDTHS } from "../../../venue/engine/events/readEvents.ts";
import { ORDERS_PER_TRANSACTION } from "../../../venue/engine/handler/defineHandler.ts";
import { defineInvariant } from "../machinery/defineInvariant.ts";
import { AT } from "../machinery/ledger/fieldsOf.ts";
import type { Moment } from "../machinery/moment.ts";

export const fillOrKillWhole = defineInvariant({
  id: "fillOrKillWhole",
  sentence:
    "A fill-or-kill order, limit or market, fills whole or not at all. A reduce-only one also fills whole if it closes the position and its rest is cancelled as reduce-only.",
  rules: ["ORD-2"],
  catalogue: ["B06"],
  when: "transaction",
  moments: ["transaction"],
  touched(moment) {
    const { transaction } = moment;
    if (moment.code !== 0 || transaction === undefined) return undefined;
    if (transaction.action === "placeOrder") return checkLeg(moment, transaction.payload as Payloads["placeOrder"], 0);
    if (transaction.action !== "placeOrders") return undefined;
    const { orders } = transaction.payload as Payloads["placeOrders"];
    for (let leg = 0; leg < orders.length; leg++) {
      const found = checkLeg(moment, orders[leg]!, leg);
      if (found !== undefined) return found;
    }
    return undefined;
  },
});

function checkLeg(moment: Moment, order: Payloads["placeOrder"], leg: number): string | undefined {
  if (order.timeInForce !== TIME_IN_FORCE.FOK) return undefined;
  const market = moment.state.marketRows.get(order.market);
  if (market === undefined) return undefined;
  const { data, from, to, state, ledger } = moment;
  const id = (ledger.consumed - 1) * ORDERS_PER_TRANSACTION + leg;
  const wanted = order.size / state.parameters[market]!.lotSize;
  moment.met++;
  let filled = 0;
  let signedLots = Number.NaN; // of the account's position after the last fill
  let closed = false;
  for (let at = from; at < to; at += EVENT_WIDTHS[data[at]!]!) {
    const kind = data[at];
    if (kind === EVENT_CODES.fill && data[at + AT.fill.takerOrder] === id) filled += data[at + AT.fill.size]!;
    else if (kind === EVENT_CODES.positionChanged && isTakers(moment, at, market))
      signedLots = data[at + AT.positionChanged.size]!;
    else if (kind === EVENT_CODES.orderCancelled && data[at + AT.orderCancelled.order] === id)
      closed = data[at + AT.orderCancelled.cause] === CANCEL_CAUSE.reduceOnly && signedLots === 0;
  }
  if (order.reduceOnly && closed) return undefined;
  return filled === 0 || filled === wanted ? undefined : `order ${id} of ${wanted} lots is filled with ${filled}`;
}

/** Whether the event changes the position of the account that the transaction acts for. */
function isTakers(moment: Moment, at: number, market: number): boolean {
  const { data } = moment;
  return data[at + AT.positionChanged.account] === moment.actor && data[at + AT.positionChanged.market] === market;
}
