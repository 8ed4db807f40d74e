import { defineInvariant } from "../machinery/defineInvariant.ts";
import { AT } from "../machinery/ledger/fieldsOf.ts";

/** Prices of orders are 32-bit: see the order table. */
const TICKS_MOST = 2_147_483_647;

export const restsOnGrid = defineInvariant({
  id: "restsOnGrid",
  sentence: "A resting order has lots left, a price of at least one tick, and an order cost that is not negative.",
  rules: ["ORD-5", "MRG-3"],
  catalogue: ["B05", "T10"],
  when: "events",
  kinds: ["orderOpened"],
  event(moment, at) {
    const { data } = moment;
    moment.met++;
    const { remaining, price, orderCost, filled } = AT.orderOpened;
    const left = data[at + remaining]!;
    const ticks = data[at + price]!;
    const id = data[at + AT.orderOpened.order]!;
    if (!(Number.isSafeInteger(left) && left > 0)) return `order ${id} rests with ${left} lots`;
    if (!(Number.isSafeInteger(ticks) && ticks > 0 && ticks <= TICKS_MOST)) return `order ${id} rests at ${ticks}`;
    if (!(data[at + orderCost]! >= 0)) return `order ${id} has the order cost ${data[at + orderCost]}`;
    return data[at + filled]! >= 0 ? undefined : `order ${id} filled ${data[at + filled]} lots`;
  },
});
