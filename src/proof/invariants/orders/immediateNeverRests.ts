import { ORDER_TYPE, TIME_IN_FORCE } from "../../../protocol/words.ts";
import { defineInvariant } from "../machinery/defineInvariant.ts";
import { AT } from "../machinery/ledger/fieldsOf.ts";
import { findEntered } from "./entered.ts";

export const immediateNeverRests = defineInvariant({
  id: "immediateNeverRests",
  sentence: "Market orders, immediate-or-cancel orders and fill-or-kill orders never rest.",
  rules: ["ORD-1", "ORD-2"],
  catalogue: ["B06"],
  when: "events",
  kinds: ["orderOpened"],
  event(moment, at) {
    const id = moment.data[at + AT.orderOpened.order]!;
    const order = findEntered(moment, id);
    if (order === undefined) return undefined;
    moment.met++;
    const immediate = order.timeInForce === TIME_IN_FORCE.IOC || order.timeInForce === TIME_IN_FORCE.FOK;
    if (order.orderType !== ORDER_TYPE.market && !immediate) return undefined;
    return `order ${id} is immediate and rests`;
  },
});
