import { NONE } from "../../../ground/collections/table.ts";
import {
  FLAG_REDUCE_ONLY,
  FLAG_SELL,
  getPostOnly,
  getSelfTradeMode,
  getSelfTradeScope,
} from "../../../venue/engine/state/schema.ts";
import { defineInvariant } from "../machinery/defineInvariant.ts";
import { AT } from "../machinery/ledger/fieldsOf.ts";
import { findRested } from "./entered.ts";

export const amendKeepsTerms = defineInvariant({
  id: "amendKeepsTerms",
  sentence:
    "An amended order that rests again keeps its side, reduce-only flag, post-only mode, self-trade mode and self-trade scope.",
  rules: ["ORD-4"],
  when: "events",
  kinds: ["orderOpened"],
  event(moment, at) {
    const { data, ledger, transaction } = moment;
    if (transaction?.action !== "amendOrder") return undefined;
    const { orderOpened } = AT;
    const id = data[at + orderOpened.order]!;
    const row = findRested(moment, id);
    if (row === NONE) return undefined;
    moment.met++;
    const { flags, selfTrade } = ledger.was.orders;
    const kept = {
      side: (flags[row] & FLAG_SELL) === 0 ? 0 : 1,
      reduceOnly: (flags[row] & FLAG_REDUCE_ONLY) === 0 ? 0 : 1,
      postOnly: getPostOnly(flags[row]),
      selfTrade: getSelfTradeMode(selfTrade[row]),
      selfTradeScope: getSelfTradeScope(selfTrade[row]),
    };
    for (const [name, before] of Object.entries(kept)) {
      const now = data[at + orderOpened[name as keyof typeof kept]]!;
      if (now !== before) return `order ${id} had ${name} ${before} and is amended to ${now}`;
    }
    return undefined;
  },
});
