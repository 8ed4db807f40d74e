import { defineAction } from "../action.ts";
import { need, refuse } from "../fieldRules.ts";
import {
  choice,
  flag,
  market,
  optionalPrice,
  optionalRate,
  optionalText,
  optionalTime,
  size,
  word,
} from "../fields.ts";
import { ORDER_TYPES, POST_ONLY_MODES, SELF_TRADE_MODES, SELF_TRADE_SCOPES, SIDES, TIMES_IN_FORCE } from "../words.ts";
import { orderRules } from "./orderRules.ts";

/** Enters an order: matches it against the book, and rests the remainder if its time in force allows. */
export const placeOrder = defineAction({
  name: "placeOrder",
  code: 0,
  domain: "trading",
  scope: "trade",
  doc: "Enters an order: matches it against the book, and rests the remainder if its time in force allows.",
  needsCollateral: true,
  readsUnsettledFunding: false,
  weight: 540,
  fields: {
    market: market(),
    side: choice(SIDES, "Side of the order."),
    orderType: word(ORDER_TYPES, "A market order has a worst price or a slippage bound, and never rests."),
    size: size("Size in base units; a multiple of the market's lot."),
    price: optionalPrice("Limit price, or worst price of a market order; a multiple of the market's tick."),
    slippage: optionalRate(
      "Market orders: greatest distance from the mark, as a ratio; with a price the tighter of the two holds.",
    ),
    timeInForce: word(TIMES_IN_FORCE, "How long the order may live. Of a market order, GTC means IOC."),
    goodTilHeight: optionalTime("GTT: last height at which the order may trade; 0 for none."),
    goodTilTime: optionalTime("GTT: last block time at which the order may trade, in ms; 0 for none."),
    postOnly: word(POST_ONLY_MODES, "What happens to an order that may only make and would take."),
    reduceOnly: flag("The order never increases or flips a position."),
    selfTrade: word(SELF_TRADE_MODES, "What happens when the order would match an order of its own account or owner."),
    selfTradeScope: word(SELF_TRADE_SCOPES, "Which resting orders count as own."),
    clientOrderId: optionalText("Own name for the order, unique among the subaccount's open orders."),
  },
  rules: [
    ...orderRules(),
    ...refuse(["goodTilHeight", "goodTilTime"], {
      when: { timeInForce: ["GTC", "IOC", "FOK"] },
      code: "EXPIRY_MISMATCH",
    }),
    need("goodTilHeight", { when: { timeInForce: ["GTT"] }, or: "goodTilTime", code: "EXPIRY_MISMATCH" }),
  ],
});
