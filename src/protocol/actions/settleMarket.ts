import { defineAction } from "../action.ts";
import { market, price } from "../fields.ts";

/** Ends a market: closes everything in it at a settlement price, for ever (MKT). */
export const settleMarket = defineAction({
  name: "settleMarket",
  code: 25,
  domain: "system",
  scope: "authority",
  authority: "operator",
  doc: "Ends a market: cancels its orders, settles its funding and closes every position at the settlement price, for ever.",
  needsCollateral: false,
  readsUnsettledFunding: false,
  weight: 3,
  fields: { market: market(), price: price("Settlement price in USD per unit of base; no clamp applies.") },
});
