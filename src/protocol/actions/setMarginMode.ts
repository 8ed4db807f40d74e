import { defineAction } from "../action.ts";
import { choice, market } from "../fields.ts";
import { MARGIN_MODES } from "../words.ts";

/** Chooses the margin mode of a market's position: cross, or isolated. */
export const setMarginMode = defineAction({
  name: "setMarginMode",
  code: 20,
  domain: "risk",
  scope: "margin",
  doc: "Chooses the margin mode of a market's position: cross uses the account's collateral, isolated its own.",
  needsCollateral: false,
  readsUnsettledFunding: true,
  weight: 27,
  fields: { market: market(), mode: choice(MARGIN_MODES, "Cross, or isolated with collateral of its own.") },
});
