import { defineAction } from "../action.ts";
import { amount } from "../fields.ts";

/** Takes free collateral out of the venue. */
export const withdraw = defineAction({
  name: "withdraw",
  code: 8,
  domain: "funds",
  scope: "owner",
  doc: "Takes free collateral out of the venue.",
  sentence: "withdraw {amount}",
  needsCollateral: true,
  readsUnsettledFunding: true,
  weight: 30,
  fields: { amount: amount("Collateral to take out.") },
  events: {
    withdrawn: {
      code: 13,
      doc: "Collateral was withdrawn.",
      fields: { account: "account", amount: "amount" },
      notZero: ["amount"],
      moves: "out",
    },
  },
});
