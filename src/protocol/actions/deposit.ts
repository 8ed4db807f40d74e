import { defineAction } from "../action.ts";
import { address, amount, count, optionalText } from "../fields.ts";

/** Brings collateral into the venue; creates the account if it does not exist. */
export const deposit = defineAction({
  name: "deposit",
  code: 11,
  domain: "system",
  scope: "authority",
  authority: "operator",
  doc: "Brings collateral into the venue; creates the account if it does not exist.",
  sentence: "deposit {amount} to {to}",
  needsCollateral: false,
  readsUnsettledFunding: false,
  weight: 12,
  fields: {
    to: address("Receiving account."),
    toSubaccount: count("Receiving subaccount."),
    amount: amount("Collateral that came in."),
    reference: optionalText("Name of the deposit outside the venue."),
  },
  events: {
    deposited: {
      code: 11,
      doc: "Collateral was deposited.",
      fields: { account: "account", amount: "amount", reference: "text" },
      notZero: ["amount"],
      moves: "in",
    },
  },
});
