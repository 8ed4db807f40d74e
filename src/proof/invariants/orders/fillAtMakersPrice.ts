import { NONE } from "../../../ground/collections/table.ts";
import { FLAG_SELL } from "../../../venue/engine/state/schema.ts";
import { defineInvariant } from "../machinery/defineInvariant.ts";
import { AT } from "../machinery/ledger/fieldsOf.ts";

export const fillAtMakersPrice = defineInvariant({
  id: "fillAtMakersPrice",
  sentence:
    "A fill is at the price of the maker's resting order, on the opposite side, for at most its remaining lots.",
  rules: ["ORD-6"],
  catalogue: ["B04", "B10"],
  when: "events",
  kinds: ["fill"],
  event(moment, at) {
    const { data, ledger } = moment;
    moment.met++;
    const id = data[at + AT.fill.makerOrder]!;
    const row = ledger.findOrder(id);
    if (row === NONE) return `order ${id} trades and does not rest`;
    const { orders, positions } = ledger.now;
    if (orders.price[row] !== data[at + AT.fill.price])
      return `order ${id} rests at ${orders.price[row]} and trades at ${data[at + AT.fill.price]}`;
    const sells = (orders.flags[row] & FLAG_SELL) !== 0;
    if (sells !== (data[at + AT.fill.takerSide] === 0)) return `order ${id} trades with a taker of its own side`;
    if (orders.remaining[row] < data[at + AT.fill.size]!)
      return `order ${id} has ${orders.remaining[row]} lots and trades ${data[at + AT.fill.size]}`;
    const position = orders.position[row];
    if (
      positions.account[position] !== data[at + AT.fill.makerAccount] ||
      positions.market[position] !== data[at + AT.fill.market]
    )
      return `order ${id} trades for another account or market`;
    return undefined;
  },
});
