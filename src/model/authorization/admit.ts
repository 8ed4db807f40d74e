import type { InvalidCode, RejectionCode } from "../../protocol/rejections.ts";
import type { Transaction } from "../../protocol/transaction.ts";
import type { Account, Grant, ModelState } from "../state.ts";

/** Whether the signer may act for the account: as owner, or under the grant that the header names (AUT). */
export function admitSigner(
  _state: ModelState,
  account: Account,
  { header }: Transaction,
): { code: InvalidCode } | { grant: Grant | undefined } {
  return header.signer === account.owner ? { grant: undefined } : { code: "AUTHORIZATION_MISSING" };
}

/** Whether the grant covers what the action does: scope, subaccount, market; undefined where it does (AUT). */
export function checkCovered(
  _state: ModelState,
  _account: Account,
  _grant: Grant,
  _transaction: Transaction,
): RejectionCode | undefined {
  return undefined;
}
