import { defineAction } from "../action.ts";
import { address, amount, count } from "../fields.ts";

/** Moves free collateral to another subaccount or account, which is created if it does not exist. */
export const transfer = defineAction({
  name: "transfer",
  code: 7,
  domain: "funds",
  scope: "transfer",
  doc: "Moves free collateral to another subaccount or account, which is created if it does not exist.",
  sentence: "transfer {amount} to {to}",
  needsCollateral: true,
  readsUnsettledFunding: true,
  weight: 27,
  fields: {
    to: address("Receiving account."),
    toSubaccount: count("Receiving subaccount."),
    amount: amount("Collateral to move."),
  },
  events: {
    transferred: {
      code: 10,
      doc: "Collateral moved between two accounts.",
      fields: { from: "account", to: "account", amount: "amount" },
      notZero: ["amount"],
      moves: "within",
    },
  },
});
