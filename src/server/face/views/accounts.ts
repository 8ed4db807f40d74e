import { NONE } from "../../../ground/collections/table.ts";
import { AccountKey } from "../../../protocol/accountKey.ts";
import type { Address } from "../../../protocol/fields.ts";
import { findAccount } from "../../../venue/engine/state/accounts.ts";
import type { AccountRow } from "../../../venue/engine/state/schema.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import { addressOf, subaccountOf } from "../../../venue/reads/rows.ts";

/** Accounts of an address by subaccount; only one if it is named. */
export function listAccountsOf(state: State, address: Address, subaccount?: number): AccountRow[] {
  const key = new AccountKey(address, subaccount ?? 0);
  if (subaccount !== undefined) {
    const account = findAccount(state, key);
    return account === NONE ? [] : [account];
  }
  const owner = state.ownerIndex.find(state.owners, key);
  if (owner === NONE) return [];
  const list: AccountRow[] = [];
  for (let at = state.owners.account[owner]!; at !== NONE; at = state.accounts.ownerNext[at]!) list.push(at);
  return list.sort((a, b) => subaccountOf(state, a) - subaccountOf(state, b));
}

/** Address and subaccount of an account, as answers write it. */
export function nameAccount(state: State, account: AccountRow): { address: Address; subaccount: number } {
  return { address: addressOf(state, account), subaccount: subaccountOf(state, account) };
}
