import { ORDERS_PER_TRANSACTION } from "../../engine/actions/defineHandler.ts";
import { EVENT_WIDTHS } from "../../engine/events/readEvents.ts";
import type { Payloads } from "../../protocol/actions/index.ts";
import { EVENT_CODES } from "../../protocol/events.ts";
import { ORDER_TYPE, TIME_IN_FORCE } from "../../protocol/words.ts";
import { defineInvariant } from "../defineInvariant.ts";
import { AT } from "../ledger/fieldsOf.ts";
import type { Look } from "../look.ts";

export const fillOrKillWhole = defineInvariant({
  id: "fillOrKillWhole",
  sentence: "An order that is filled or killed is filled with all of it, or not at all.",
  rules: ["ORD-2"],
  catalogue: ["B06"],
  when: "transaction",
  touched(look) {
    const { transaction } = look;
    if (look.code !== 0 || transaction === undefined) return undefined;
    if (transaction.action === "placeOrder") return checkLeg(look, transaction.payload as Payloads["placeOrder"], 0);
    if (transaction.action !== "placeOrders") return undefined;
    const { orders } = transaction.payload as Payloads["placeOrders"];
    for (let leg = 0; leg < orders.length; leg++) {
      const found = checkLeg(look, orders[leg]!, leg);
      if (found !== undefined) return found;
    }
    return undefined;
  },
});

function checkLeg(look: Look, order: Payloads["placeOrder"], leg: number): string | undefined {
  // A market order is immediate or cancelled, whatever its time in force says (ORD-1).
  if (order.timeInForce !== TIME_IN_FORCE.FOK || order.orderType === ORDER_TYPE.market) return undefined;
  const market = look.state.marketRows.get(order.market);
  if (market === undefined) return undefined;
  const { data, from, to, state, ledger } = look;
  const id = (ledger.consumed - 1) * ORDERS_PER_TRANSACTION + leg;
  const wanted = order.size / state.parameters[market]!.lotSize;
  look.met++;
  let filled = 0;
  for (let at = from; at < to; at += EVENT_WIDTHS[data[at]!]!) {
    if (data[at] === EVENT_CODES.fill && data[at + AT.fill.takerOrder] === id) filled += data[at + AT.fill.size]!;
  }
  return filled === 0 || filled === wanted ? undefined : `order ${id} of ${wanted} lots is filled with ${filled}`;
}
