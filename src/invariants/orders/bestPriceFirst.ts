import { FLAG_SELL, type OrderRow } from "../../engine/state/schema.ts";
import { defineInvariant } from "../defineInvariant.ts";
import { AT } from "../ledger/fieldsOf.ts";

/** Cost: once per fill and resting order. */
export const bestPriceFirst = defineInvariant({
  id: "bestPriceFirst",
  sentence: "A fill is at the best price of its side: nothing that rests there was better.",
  rules: ["ORD-1"],
  catalogue: ["B03"],
  when: "events",
  kinds: ["fill"],
  event(look, at) {
    const { data, ledger } = look;
    look.met++;
    const { orders, positions } = ledger.now;
    const market = data[at + AT.fill.market]!;
    const price = data[at + AT.fill.price]!;
    const side = data[at + AT.fill.takerSide] === 0 ? FLAG_SELL : 0;
    for (let row = 0 as OrderRow; row < orders.rows.high; row++) {
      const other: number = orders.price[row];
      if (side === 0 ? other <= price : other >= price) continue;
      if (orders.remaining[row] === 0 || (orders.flags[row] & FLAG_SELL) !== side) continue;
      if (positions.market[orders.position[row]] !== market || orders.id[row] === 0) continue;
      return `order ${data[at + AT.fill.makerOrder]} traded at ${price}, and order ${orders.id[row]} rests at ${other}`;
    }
    return undefined;
  },
});
