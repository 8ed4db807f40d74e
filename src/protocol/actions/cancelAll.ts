import { defineAction } from "../action.ts";
import { flag, optionalMarket } from "../fields.ts";

/** Cancels every resting order of the subaccount, in one market or in all. */
export const cancelAll = defineAction({
  name: "cancelAll",
  code: 4,
  domain: "risk",
  scope: "cancel",
  doc: "Cancels every resting order of the subaccount, in one market or in all.",
  needsCollateral: false,
  readsUnsettledFunding: false,
  weight: 12,
  fields: {
    market: optionalMarket("The market; empty for all."),
    intents: flag("Intents go with the orders."),
  },
});
