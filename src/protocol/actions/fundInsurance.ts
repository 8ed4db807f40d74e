import { defineAction } from "../action.ts";
import { amount } from "../fields.ts";

/** Brings collateral into the insurance fund. */
export const fundInsurance = defineAction({
  name: "fundInsurance",
  code: 15,
  domain: "system",
  scope: "authority",
  authority: "operator",
  doc: "Brings collateral into the insurance fund.",
  sentence: "fund insurance {amount}",
  needsCollateral: false,
  readsUnsettledFunding: false,
  weight: 9,
  fields: { amount: amount("Collateral that came in.") },
});
