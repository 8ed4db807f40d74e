import { defineAction } from "../action.ts";
import { amount, choice, market } from "../fields.ts";
import { MARGIN_DIRECTIONS } from "../words.ts";

/** Moves collateral between the account and one of its isolated positions. */
export const adjustIsolatedMargin = defineAction({
  name: "adjustIsolatedMargin",
  code: 21,
  domain: "risk",
  scope: "margin",
  doc: "Moves collateral between the account and one of its isolated positions.",
  needsCollateral: false,
  readsUnsettledFunding: true,
  weight: 27,
  fields: {
    market: market(),
    direction: choice(MARGIN_DIRECTIONS, "To the position, or back to the account."),
    amount: amount("Collateral to move."),
  },
});
