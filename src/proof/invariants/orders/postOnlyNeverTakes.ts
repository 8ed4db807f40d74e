import { NONE } from "../../../ground/collections/table.ts";
import { EVENT_CODES } from "../../../protocol/events.ts";
import { POST_ONLY } from "../../../protocol/words.ts";
import { FLAG_POST_ONLY } from "../../../venue/engine/state/schema.ts";
import { defineInvariant } from "../machinery/defineInvariant.ts";
import { AT } from "../machinery/ledger/fieldsOf.ts";
import { findEntered } from "./entered.ts";

export const postOnlyNeverTakes = defineInvariant({
  id: "postOnlyNeverTakes",
  sentence: "A post-only order never trades as taker, neither when it enters nor when it is amended.",
  rules: ["ORD-2"],
  catalogue: ["B06"],
  when: "events",
  kinds: ["fill", "orderOpened"],
  event(moment, at) {
    const { data, ledger } = moment;
    if (data[at] === EVENT_CODES.orderOpened) {
      if (data[at + AT.orderOpened.postOnly] !== POST_ONLY.no) moment.met++;
      return undefined;
    }
    const id = data[at + AT.fill.takerOrder]!;
    const entered = findEntered(moment, id);
    const row = ledger.findOrder(id);
    const rested = row !== NONE && (ledger.now.orders.flags[row] & FLAG_POST_ONLY) !== 0;
    if (!rested && (entered === undefined || entered.postOnly === POST_ONLY.no)) return undefined;
    return `order ${id} is post-only and trades as taker`;
  },
});
