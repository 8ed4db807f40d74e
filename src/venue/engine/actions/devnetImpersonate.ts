import { NONE } from "../../../ground/collections/table.ts";
import { AccountKey } from "../../../protocol/accountKey.ts";
import { isCarriedFault, readCarried } from "../../../protocol/carried.ts";
import { createTransaction } from "../../../protocol/createTransaction.ts";
import type { Transaction } from "../../../protocol/transaction.ts";
import { getNextNonce } from "../authorization/admission.ts";
import { defineHandler, type Plan, reject } from "../handler/defineHandler.ts";
import { findAccount } from "../state/accounts.ts";

/**
 * Acts for an account that did not sign, if genesis is a devnet. The carried transaction is executed next, under the
 * account's next nonce of the lane, and the receipt reports its result.
 */
export const handleDevnetImpersonate = defineHandler<"devnetImpersonate">("devnetImpersonate")<
  Plan & { readonly carried: Transaction }
>({
  check(state, _context, { account: address, subaccount, action, payload }) {
    const { genesis, height } = state;
    if (!genesis.features.devnet) return reject("FEATURE_DISABLED", { feature: "devnet" });
    const read = readCarried(action, payload);
    if (isCarriedFault(read)) return reject("CARRIED_INVALID", { ...read });
    const key = new AccountKey(address, subaccount);
    const account = findAccount(state, key);
    if (account === NONE) return reject("CARRIED_INVALID", { path: "account", fault: "unknownAccount" });
    const draft = createTransaction({
      ...read,
      account: key,
      nonce: 0,
      network: genesis.network,
      validFrom: height,
      validUntil: height,
    });
    const nonce = getNextNonce(state, draft, account);
    return { rejected: false, carried: { ...draft, header: { ...draft.header, nonce } } };
  },

  apply(_state, context, { carried }) {
    context.carried = carried;
  },
});
