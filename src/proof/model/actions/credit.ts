import type { Address } from "../../../protocol/fields.ts";
import { addAccount, findAccount } from "../accounts.ts";
import { APPLIED, type Outcome, rejected } from "../receipts.ts";
import type { Account, ModelState } from "../state.ts";
import { LIMIT } from "../words.ts";

/**
 * Whether an account, new or not, can hold so much more: a quarter of the bound leaves room for realised profit
 * (NUM-3).
 */
export function canHold(account: Account | undefined, amount: bigint): boolean {
  return (account?.collateral ?? 0n) + amount <= LIMIT / 4n;
}

/** The account of an inflow, created if it is missing (ACC). */
export function openAccount(state: ModelState, to: Address, subaccount: number): Account {
  return findAccount(state, to, subaccount) ?? addAccount(state, to, subaccount, "normal");
}

/** Adds collateral from outside the venue (POS-4). */
export function credit(state: ModelState, to: Address, subaccount: number, amount: bigint): Outcome {
  if (amount === 0n) return rejected("NOTHING_TO_DO");
  if (!canHold(findAccount(state, to, subaccount), amount)) return rejected("NUMERIC_LIMIT");
  openAccount(state, to, subaccount).collateral += amount;
  state.totals.inflows += amount;
  return APPLIED;
}
