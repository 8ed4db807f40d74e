import type { Payloads } from "../../../protocol/actions/index.ts";
import { ORDER_TYPE } from "../../../protocol/words.ts";
import { defineInvariant } from "../machinery/defineInvariant.ts";

export const appliedIsSane = defineInvariant({
  id: "appliedIsSane",
  sentence:
    "An accepted order has a positive size and whole lots and ticks. It has a price, or a slippage above 0 and at most the market's.",
  rules: ["ORD-1", "ORD-5", "NUM-3"],
  catalogue: ["T10", "B05"],
  when: "transaction",
  moments: ["transaction"],
  touched(moment) {
    const { transaction, state, index } = moment;
    if (moment.code !== 0 || transaction?.action !== "placeOrder") return undefined;
    moment.met++;
    const { size, price, slippage, orderType, market } = transaction.payload as Payloads["placeOrder"];
    const { lotSize, tickSize, slippageMax } = state.parameters[state.marketRows.get(market)!]!;
    const name = `transaction ${index}`;
    if (!(size > 0) || size % lotSize !== 0) return `${name} places ${size}, lots are ${lotSize}`;
    if (price < 0 || price % tickSize !== 0) return `${name} places at ${price}, ticks are ${tickSize}`;
    if (price > 0) return undefined;
    return orderType === ORDER_TYPE.market && slippage > 0 && slippage <= slippageMax * 1000
      ? undefined
      : `${name} has no price, and its slippage is ${slippage}`;
  },
});
