import { NONE } from "../../../ground/collections/table.ts";
import type { AccountKey, AddressWords } from "../../../protocol/accountKey.ts";
import type { OwnerIndex } from "./ownerIndex.ts";
import type { AccountRow, OwnerRow, Owners } from "./schema.ts";
import type { State } from "./state.ts";

/**
 * The account of a key, NONE where there is none. Accounts are never removed and keep their row, and each venue has an
 * index of its own. So the key stores the row: the words of an address are in five columns.
 */
export function findAccount(state: State, key: AccountKey): AccountRow {
  const known = key.getRow(state.ownerIndex);
  if (known !== NONE) return known as AccountRow;
  const account = searchAccount(state, key);
  if (account !== NONE) key.keepRow(state.ownerIndex, account);
  return account;
}

/** As `findAccount`, always by the words of the address. */
export function searchAccount(state: State, key: AccountKey): AccountRow {
  const { accounts } = state;
  const owner = state.ownerIndex.find(state.owners, key);
  if (owner === NONE) return NONE as AccountRow;
  let account = state.owners.account[owner];
  // The column is signed: a subaccount above 2^31 is stored as its 32 bits.
  const subaccount = key.subaccount | 0;
  while (account !== NONE && accounts.subaccount[account] !== subaccount) account = accounts.ownerNext[account];
  return account;
}

/** Creates an account that does not exist yet (ACC). */
export function createAccount(
  state: State,
  key: AddressWords & Pick<AccountKey, "subaccount">,
  role: number,
): AccountRow {
  const owner = findOrCreateOwner(state.owners, state.ownerIndex, key);
  const account = state.accounts.rows.allocate();
  const { accounts, owners } = state;
  accounts.owner[account] = owner;
  accounts.ownerNext[account] = owners.account[owner];
  owners.account[owner] = account;
  accounts.subaccount[account] = key.subaccount;
  accounts.role[account] = role;
  accounts.position[account] = NONE as (typeof accounts.position)[AccountRow];
  state.events.accountCreated({
    account,
    w0: key.w0,
    w1: key.w1,
    w2: key.w2,
    w3: key.w3,
    w4: key.w4,
    subaccount: key.subaccount,
    role,
  });
  return account;
}

/** The row of an address in a table of owners or agents, created if it does not exist. */
export function findOrCreateOwner(owners: Owners, index: OwnerIndex, key: AddressWords): OwnerRow {
  const found = index.find(owners, key);
  if (found !== NONE) return found;
  const owner = owners.rows.allocate();
  owners.w0[owner] = key.w0;
  owners.w1[owner] = key.w1;
  owners.w2[owner] = key.w2;
  owners.w3[owner] = key.w3;
  owners.w4[owner] = key.w4;
  owners.account[owner] = NONE as AccountRow;
  index.insert(owners, owner);
  return owner;
}
