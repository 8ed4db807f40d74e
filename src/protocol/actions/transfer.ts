import { defineAction } from "../action.ts";
import { address, amount, count } from "../fields.ts";

/** Moves free collateral to another subaccount or account, which is created by it if need be. */
export const transfer = defineAction({
  name: "transfer",
  code: 7,
  domain: "funds",
  scope: "transfer",
  doc: "Moves free collateral to another subaccount or account, which is created by it if need be.",
  needsCollateral: true,
  readsUnsettledFunding: true,
  weight: 27,
  fields: {
    to: address("Receiving account."),
    toSubaccount: count("Receiving subaccount."),
    amount: amount("Collateral to move."),
  },
});
