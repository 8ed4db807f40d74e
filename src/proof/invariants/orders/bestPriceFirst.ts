import { FLAG_SELL, type OrderRow } from "../../../venue/engine/state/schema.ts";
import { defineInvariant } from "../machinery/defineInvariant.ts";
import { AT } from "../machinery/ledger/fieldsOf.ts";

/** Cost: once per fill and resting order. */
export const bestPriceFirst = defineInvariant({
  id: "bestPriceFirst",
  sentence: "A fill is at the best price of its side: no resting order there has a better one.",
  rules: ["ORD-1"],
  catalogue: ["B03"],
  when: "events",
  kinds: ["fill"],
  event(moment, at) {
    const { data, ledger } = moment;
    moment.met++;
    const { orders, positions } = ledger.now;
    const { price: prices, flags, remaining, id, position } = orders;
    const { high } = orders.rows;
    const market = data[at + AT.fill.market]!;
    const price = data[at + AT.fill.price]!;
    const side = data[at + AT.fill.takerSide] === 0 ? FLAG_SELL : 0;
    for (let row = 0 as OrderRow; row < high; row++) {
      if ((flags[row] & FLAG_SELL) !== side) continue;
      const other: number = prices[row];
      if (side === 0 ? other <= price : other >= price) continue;
      if (remaining[row] === 0 || positions.market[position[row]] !== market || id[row] === 0) continue;
      return `order ${data[at + AT.fill.makerOrder]} traded at ${price}, and order ${id[row]} rests at ${other}`;
    }
    return undefined;
  },
});
