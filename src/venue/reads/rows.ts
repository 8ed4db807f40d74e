/** Rows of an account, and their names. */
import { NONE } from "../../ground/collections/table.ts";
import { addressOfWords } from "../../protocol/accountKey.ts";
import type { Address } from "../../protocol/fields.ts";
import { MARGIN_MODE } from "../../protocol/words.ts";
import type { AccountRow, PositionRow } from "../engine/state/schema.ts";
import type { State } from "../engine/state/state.ts";

/** The column is signed: a subaccount above 2^31 is stored in it as its 32 bits. */
export function subaccountOf({ accounts }: State, account: AccountRow): number {
  return accounts.subaccount[account] >>> 0;
}

export function addressOf({ accounts, owners }: State, account: AccountRow): Address {
  const owner = accounts.owner[account];
  return addressOfWords(owners.w0[owner], owners.w1[owner], owners.w2[owner], owners.w3[owner], owners.w4[owner]);
}

/** Position rows of an account by market, those without a size included. */
export function listPositionsOf({ accounts, positions }: State, account: AccountRow): PositionRow[] {
  const list: PositionRow[] = [];
  for (let at = accounts.position[account]; at !== NONE; at = positions.next[at]) list.push(at);
  return list;
}

/** Its cross margin account (`NONE`), then its isolated positions by market (MRG-2). */
export function listMarginAccountsOf(state: State, account: AccountRow): PositionRow[] {
  const isolated = listPositionsOf(state, account).filter((at) => state.positions.mode[at] !== MARGIN_MODE.cross);
  return [NONE as PositionRow, ...isolated];
}
