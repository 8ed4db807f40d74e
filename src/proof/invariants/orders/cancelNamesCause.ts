import { CANCEL_CAUSE, CANCEL_CAUSES, EVENT_CODES } from "../../../protocol/events.ts";
import { ORDER_TYPE, TIME_IN_FORCE } from "../../../protocol/words.ts";
import { defineInvariant } from "../machinery/defineInvariant.ts";
import { AT } from "../machinery/ledger/fieldsOf.ts";
import type { Moment } from "../machinery/moment.ts";
import { isCauseGiven } from "./causes.ts";
import { findEntered } from "./entered.ts";

/** By height: the last expired order and intent, and the last account with a scheduled cancel. */
interface Last {
  height: number;
  order: number;
  intent: number;
  account: number;
}

export const cancelNamesCause = defineInvariant<Last>({
  id: "cancelNamesCause",
  sentence:
    "A cancelled order has lots left, and the named cause holds. Expiries of a block go by id, scheduled cancels by account.",
  rules: ["ORD-2", "ORD-3", "ORD-5", "ORD-6", "ORD-8", "DET-3"],
  catalogue: ["B06", "D04"],
  when: "events",
  kinds: ["orderCancelled", "intentExpired"],
  start: () => ({ height: -1, order: -1, intent: -1, account: -1 }),
  event(moment, at, last) {
    const { data } = moment;
    if (last.height !== moment.block.height)
      Object.assign(last, { height: moment.block.height, order: -1, intent: -1, account: -1 });
    moment.met++;
    if (data[at] === EVENT_CODES.intentExpired) return follow(last, "intent", data[at + AT.intentExpired.intent]!, 1);
    const id = data[at + AT.orderCancelled.order]!;
    const cause = data[at + AT.orderCancelled.cause]!;
    if (!(data[at + AT.orderCancelled.remaining]! > 0)) return `order ${id} is cancelled with nothing left`;
    if (CANCEL_CAUSES[cause] === undefined) return `order ${id} is cancelled for cause ${cause}`;
    if (cause === CANCEL_CAUSE.timeInForce)
      return mayRest(moment, id) ? `order ${id} may rest, and its rest is cancelled` : undefined;
    if (!isCauseGiven(moment, at)) return `order ${id} is cancelled for ${CANCEL_CAUSES[cause]} without reason`;
    if (moment.step !== "expired") return undefined;
    if (cause === CANCEL_CAUSE.expired) return follow(last, "order", id, 1);
    return follow(last, "account", data[at + AT.orderCancelled.account]!, 0);
  },
});

/** Whether an order that the transaction entered may rest by its time in force. */
function mayRest(moment: Moment, id: number): boolean {
  const order = findEntered(moment, id);
  if (order === undefined || order.orderType === ORDER_TYPE.market) return false;
  return order.timeInForce === TIME_IN_FORCE.GTC || order.timeInForce === TIME_IN_FORCE.GTT;
}

/** Advances an ascending sequence; returns a message if the next is too low. */
function follow(last: Last, what: "order" | "intent" | "account", next: number, least: number): string | undefined {
  const before = last[what];
  last[what] = next;
  return next - before >= least ? undefined : `${what} ${next} is removed after ${what} ${before}`;
}
