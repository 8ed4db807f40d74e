import { defineAction } from "../action.ts";
import { address, amount, count } from "../fields.ts";

/** Mints simulated collateral, where genesis enables the faucet. */
export const faucetMint = defineAction({
  name: "faucetMint",
  code: 12,
  domain: "system",
  scope: "authority",
  authority: "faucet",
  doc: "Mints simulated collateral, where genesis enables the faucet.",
  sentence: "mint {amount} to {to}",
  needsCollateral: false,
  readsUnsettledFunding: false,
  weight: 12,
  fields: {
    to: address("Receiving account."),
    toSubaccount: count("Receiving subaccount."),
    amount: amount("Collateral to mint."),
  },
  events: {
    minted: {
      code: 12,
      doc: "The faucet minted simulated collateral.",
      fields: { account: "account", amount: "amount" },
      notZero: ["amount"],
      moves: "in",
    },
  },
});
