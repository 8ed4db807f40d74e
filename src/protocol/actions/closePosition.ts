import { defineAction } from "../action.ts";
import { need } from "../fieldRules.ts";
import { market, optionalPrice, optionalRate, optionalSize, optionalText } from "../fields.ts";
import { slippageRule } from "./orderRules.ts";

/** Reduces a position with a reduce-only IOC on the other side. */
export const closePosition = defineAction({
  name: "closePosition",
  code: 5,
  domain: "risk",
  scope: "reduce",
  doc: "Reduces a position with a reduce-only IOC on the other side.",
  needsCollateral: false,
  readsUnsettledFunding: false,
  weight: 42,
  fields: {
    market: market(),
    size: optionalSize("Size to close; empty for the whole position."),
    price: optionalPrice("Worst price; empty to bound it by slippage."),
    slippage: optionalRate("Greatest distance from the mark, as a ratio; with a price the tighter of the two holds."),
    clientOrderId: optionalText("Own name for the order."),
  },
  rules: [slippageRule(), need("price", { or: "slippage", code: "PRICE_REQUIRED" })],
});
