import { NONE } from "../../../ground/collections/table.ts";
import { ORDERS_PER_TRANSACTION } from "../../../venue/engine/handler/defineHandler.ts";
import { defineInvariant } from "../machinery/defineInvariant.ts";
import { AT } from "../machinery/ledger/fieldsOf.ts";
import { wasResting } from "./entered.ts";

export const orderIdsAreNew = defineInvariant({
  id: "orderIdsAreNew",
  sentence:
    "A resting order has an id of its own transaction, its id from before an amendment, or the id of the intent that placed it.",
  rules: ["EVT-3"],
  catalogue: ["B08"],
  when: "events",
  kinds: ["orderOpened"],
  event(moment, at) {
    const { data, ledger, index } = moment;
    moment.met++;
    const id = data[at + AT.orderOpened.order]!;
    if (ledger.findOrder(id) !== NONE) return `order ${id} is already resting`;
    const first = (ledger.consumed - 1) * ORDERS_PER_TRANSACTION;
    if (index !== NONE && id >= first && id < first + ORDERS_PER_TRANSACTION) return undefined;
    // An amended order left its place earlier in this moment.
    if (wasResting(moment, id)) return undefined;
    // Steps open only orders of intents, whose ids are older.
    if (index === NONE && id < first + ORDERS_PER_TRANSACTION) return undefined;
    return `order ${id} is opened by transaction ${ledger.consumed - 1}, whose ids begin at ${first}`;
  },
});
