import { defineAction } from "../action.ts";
import { count, market } from "../fields.ts";

/** Chooses the leverage of a market: initial margin is at least notional / leverage. */
export const setLeverage = defineAction({
  name: "setLeverage",
  code: 6,
  domain: "risk",
  scope: "margin",
  doc: "Chooses the leverage of a market: initial margin is at least notional / leverage.",
  needsCollateral: true,
  readsUnsettledFunding: false,
  weight: 24,
  fields: { market: market(), leverage: count("Whole multiple, from 1 to what the first tier allows.") },
});
