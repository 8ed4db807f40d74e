import { SIDE } from "../../../protocol/words.ts";
import type { MarketRow } from "../../../venue/engine/state/schema.ts";
import { defineInvariant } from "../machinery/defineInvariant.ts";
import { AT } from "../machinery/ledger/fieldsOf.ts";
import { near } from "../machinery/tally.ts";
import { findEntered } from "./entered.ts";

const BILLION = 1_000_000_000n;

export const takerWithinLimit = defineInvariant({
  id: "takerWithinLimit",
  sentence: "No taker fills beyond its limit price; a market order, beyond mark plus or minus its slippage.",
  rules: ["ORD-1", "ORD-6"],
  catalogue: ["B04"],
  when: "events",
  kinds: ["fill"],
  slack: "1e-8 USD",
  event(moment, at) {
    const { data, state } = moment;
    const id = data[at + AT.fill.takerOrder]!;
    const order = findEntered(moment, id);
    if (order === undefined) return undefined;
    moment.met++;
    const market = data[at + AT.fill.market]! as MarketRow;
    const { tickSize } = state.parameters[market]!;
    const price = data[at + AT.fill.price]! * tickSize;
    const buys = order.side === SIDE.buy;
    if (order.price !== 0) {
      near(moment, buys ? order.price - price : price - order.price);
      if (buys ? price <= order.price : price >= order.price) return undefined;
      return `order ${id} has the limit ${order.price} and trades at ${price}`;
    }
    const mark = BigInt(state.markets.mark[market]);
    const slippage = BigInt(order.slippage);
    const bound = mark * (buys ? BILLION + slippage : BILLION - slippage);
    // Whole ticks: one tick is the lowest price.
    const exact = BigInt(data[at + AT.fill.price]!) * BigInt(tickSize) * BILLION;
    const holds = buys ? exact <= bound || price === tickSize : exact >= bound;
    const distance = (buys ? bound - exact : exact - bound) / BILLION;
    near(moment, holds && distance < 0n ? 0 : distance);
    if (holds) return undefined;
    return `order ${id} trades at ${price}, the bound of its slippage of ${slippage} is ${bound / BILLION}`;
  },
});
