import { CANCEL_CAUSE, CANCEL_CAUSES } from "../../protocol/events.ts";
import { ORDER_TYPE, TIME_IN_FORCE } from "../../protocol/words.ts";
import { defineInvariant } from "../defineInvariant.ts";
import { AT } from "../ledger/fieldsOf.ts";
import { findEntered } from "./entered.ts";

export const cancelSaysWhy = defineInvariant({
  id: "cancelSaysWhy",
  sentence: "Only what remains of an order is cancelled, and for its time in force only where that lets nothing rest.",
  rules: ["ORD-2", "ORD-8"],
  catalogue: ["B06"],
  when: "events",
  kinds: ["orderCancelled"],
  event(look, at) {
    const { data } = look;
    const id = data[at + AT.orderCancelled.order]!;
    const cause = data[at + AT.orderCancelled.cause]!;
    look.met++;
    if (!(data[at + AT.orderCancelled.remaining]! > 0)) return `order ${id} is cancelled with nothing left`;
    if (CANCEL_CAUSES[cause] === undefined) return `order ${id} is cancelled for cause ${cause}`;
    const order = cause === CANCEL_CAUSE.timeInForce ? findEntered(look, id) : undefined;
    if (order === undefined || order.orderType === ORDER_TYPE.market) return undefined;
    const rests = order.timeInForce === TIME_IN_FORCE.GTC || order.timeInForce === TIME_IN_FORCE.GTT;
    return rests ? `order ${id} may rest and is cancelled for its time in force` : undefined;
  },
});
