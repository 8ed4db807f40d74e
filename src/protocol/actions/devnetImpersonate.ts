import { defineAction } from "../action.ts";
import { address, bytes, count, text } from "../fields.ts";

/** Acts for an account without its signature; where genesis says devnet. */
export const devnetImpersonate = defineAction({
  name: "devnetImpersonate",
  code: 27,
  domain: "system",
  scope: "authority",
  authority: "operator",
  carries: true,
  doc: "Executes a transaction for an account that did not sign it, under the account's next nonce; only on a devnet. It is ordered among the users' transactions, and its receipt is that of the carried transaction.",
  needsCollateral: false,
  readsUnsettledFunding: true,
  weight: 8,
  fields: {
    account: address("Account that acts."),
    subaccount: count("Its subaccount."),
    action: text("Name of the action; one that users sign."),
    payload: bytes("Its payload as on the wire: JSON, printable ASCII, every field present."),
  },
});
