import { defineAction } from "../action.ts";
import { market, optionalPrice, optionalRate, optionalSize, optionalText } from "../fields.ts";

/** Reduces a position with a reduce-only IOC on the other side. */
export const closePosition = defineAction({
  name: "closePosition",
  domain: "risk",
  scope: "reduce",
  doc: "Reduces a position with a reduce-only IOC on the other side.",
  fields: {
    market: market(),
    size: optionalSize("How much of it; empty for all."),
    price: optionalPrice("Worst price; empty to bound it by slippage."),
    slippage: optionalRate("Greatest distance from the mark, as a ratio, where no price is given."),
    clientOrderId: optionalText("Own name for the order."),
  },
});
