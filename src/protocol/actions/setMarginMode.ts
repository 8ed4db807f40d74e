import { defineAction } from "../action.ts";
import { choice, market } from "../fields.ts";
import { MARGIN_MODES } from "../words.ts";

/** Chooses whose collateral stands behind a market's position: the account's, or its own. */
export const setMarginMode = defineAction({
  name: "setMarginMode",
  domain: "risk",
  scope: "margin",
  doc: "Chooses whose collateral stands behind a market's position: the account's, or its own.",
  fields: { market: market(), mode: choice(MARGIN_MODES, "Cross, or isolated with collateral of its own.") },
});
