import { defineInvariant } from "../machinery/defineInvariant.ts";
import { AT } from "../machinery/ledger/fieldsOf.ts";

export const fillIsPositive = defineInvariant({
  id: "fillIsPositive",
  sentence: "A fill trades at least one lot at a price of at least one tick, in whole lots and ticks.",
  rules: ["NUM-1", "ORD-5"],
  catalogue: ["B05"],
  when: "events",
  kinds: ["fill"],
  event(moment, at) {
    const { data } = moment;
    moment.met++;
    const lots = data[at + AT.fill.size]!;
    const price = data[at + AT.fill.price]!;
    if (Number.isSafeInteger(lots) && lots > 0 && Number.isSafeInteger(price) && price > 0) return undefined;
    return `order ${data[at + AT.fill.makerOrder]} traded ${lots} lots at ${price}`;
  },
});
