import { NONE } from "../../collections/table.ts";
import { findAccount } from "../../engine/state/accounts.ts";
import type { AccountRow, PositionRow } from "../../engine/state/schema.ts";
import type { State } from "../../engine/state/state.ts";
import { AccountKey, addressOfWords } from "../../protocol/accountKey.ts";
import type { Address } from "../../protocol/fields.ts";
import { MARGIN_MODE } from "../../protocol/words.ts";

/** Accounts of an address by subaccount; of one subaccount, where it is named. */
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

/** The column is signed: a subaccount above 2^31 stands in it as its 32 bits. */
export function subaccountOf({ accounts }: State, account: AccountRow): number {
  return accounts.subaccount[account]! >>> 0;
}

export function addressOf({ accounts, owners }: State, account: AccountRow): Address {
  const owner = accounts.owner[account]!;
  return addressOfWords(owners.w0[owner]!, owners.w1[owner]!, owners.w2[owner]!, owners.w3[owner]!, owners.w4[owner]!);
}

/** An account as answers name it. */
export function nameAccount(state: State, account: AccountRow): { address: Address; subaccount: number } {
  return { address: addressOf(state, account), subaccount: subaccountOf(state, account) };
}

/** Position rows of an account by market, those without a size included. */
export function listPositionsOf({ accounts, positions }: State, account: AccountRow): PositionRow[] {
  const list: PositionRow[] = [];
  for (let at = accounts.position[account]!; at !== NONE; at = positions.next[at]!) list.push(at);
  return list;
}

/** Its cross bucket (`NONE`), then its isolated positions by market (MRG-2). */
export function listBucketsOf(state: State, account: AccountRow): PositionRow[] {
  const isolated = listPositionsOf(state, account).filter((at) => state.positions.mode[at]! !== MARGIN_MODE.cross);
  return [NONE as PositionRow, ...isolated];
}
