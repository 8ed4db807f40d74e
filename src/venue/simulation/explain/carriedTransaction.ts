import { AccountKey } from "../../../protocol/accountKey.ts";
import { ACTION_CODES, type Payloads } from "../../../protocol/actions/index.ts";
import { isCarriedFault, readCarried } from "../../../protocol/carried.ts";
import { createTransaction } from "../../../protocol/createTransaction.ts";
import type { Transaction } from "../../../protocol/transaction.ts";

/** The carried transaction, or the transaction itself: its account and its action. */
export function actingOf(transaction: Transaction): Transaction {
  if (transaction.code !== ACTION_CODES.devnetImpersonate) return transaction;
  const { account, subaccount, action, payload } = transaction.payload as Payloads["devnetImpersonate"];
  const read = readCarried(action, payload);
  if (isCarriedFault(read)) return transaction;
  return createTransaction({ ...read, account: new AccountKey(account, subaccount), nonce: 0 });
}
