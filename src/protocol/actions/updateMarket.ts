import { defineAction } from "../action.ts";
import { list, market } from "../fields.ts";
import { marketParameter } from "./createMarket.ts";

/** Changes parameters or the status of a market. Tick and lot never change. */
export const updateMarket = defineAction({
  name: "updateMarket",
  code: 14,
  domain: "system",
  scope: "authority",
  authority: "operator",
  doc: "Changes parameters or the status of a market. Tick and lot never change.",
  needsCollateral: false,
  readsUnsettledFunding: false,
  weight: 36,
  fields: { market: market(), parameters: list(marketParameter, 100, "Parameters to change.") },
});
