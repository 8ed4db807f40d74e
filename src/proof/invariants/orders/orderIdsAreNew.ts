import { NONE } from "../../../ground/collections/table.ts";
import { ORDERS_PER_TRANSACTION } from "../../../venue/engine/actions/defineHandler.ts";
import { defineInvariant } from "../defineInvariant.ts";
import { AT } from "../ledger/fieldsOf.ts";
import { wasResting } from "./entered.ts";

export const orderIdsAreNew = defineInvariant({
  id: "orderIdsAreNew",
  sentence:
    "An order that comes to rest has an id of its own transaction, or that of the order it was, or of the intent that placed it.",
  rules: ["EVT-3"],
  catalogue: ["B08"],
  when: "events",
  kinds: ["orderOpened"],
  event(moment, at) {
    const { data, ledger, index } = moment;
    moment.met++;
    const id = data[at + AT.orderOpened.order]!;
    if (ledger.findOrder(id) !== NONE) return `order ${id} rests already`;
    const first = (ledger.consumed - 1) * ORDERS_PER_TRANSACTION;
    if (index !== NONE && id >= first && id < first + ORDERS_PER_TRANSACTION) return undefined;
    // Amended: it left its place in this very moment.
    if (wasResting(moment, id)) return undefined;
    // Steps open nothing but orders of intents, whose ids are older.
    if (index === NONE && id < first + ORDERS_PER_TRANSACTION) return undefined;
    return `order ${id} is opened by transaction ${ledger.consumed - 1}, whose ids begin at ${first}`;
  },
});
