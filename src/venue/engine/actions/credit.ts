import { NONE } from "../../../ground/collections/table.ts";
import { type Amount, LIMIT } from "../../../ground/math/fixed.ts";
import { AccountKey } from "../../../protocol/accountKey.ts";
import type { Address } from "../../../protocol/fields.ts";
import { ROLE } from "../../../protocol/words.ts";
import { type Plan, type Rejection, reject } from "../handler/defineHandler.ts";
import { changeBalance } from "../insurance/insurance.ts";
import { createAccount, findAccount } from "../state/accounts.ts";
import type { AccountRow } from "../state/schema.ts";
import type { State } from "../state/state.ts";
import { TOTAL } from "../state/totals.ts";

/** Collateral that comes into the venue for an account, which may not exist yet. */
export interface CreditPlan extends Plan {
  readonly key: AccountKey;
  readonly account: AccountRow;
  readonly amount: Amount;
}

export function planCredit(state: State, to: Address, subaccount: number, amount: Amount): CreditPlan | Rejection {
  if (amount === 0) return reject("NOTHING_TO_DO", { amount });
  const key = new AccountKey(to, subaccount);
  const account = findAccount(state, key);
  const held = account === NONE ? 0 : state.accounts.collateral[account];
  if (held + amount > LIMIT / 4) return reject("NUMERIC_LIMIT", { amount, limit: LIMIT / 4 });
  return { rejected: false, key, account, amount };
}

/** Creates the account if it does not exist, counts the inflow, credits it, and returns the account. */
export function credit(state: State, plan: CreditPlan, cause: number): AccountRow {
  const account = plan.account === NONE ? createAccount(state, plan.key, ROLE.normal) : plan.account;
  state.totals.add(TOTAL.inflows, plan.amount);
  changeBalance(state, account, plan.amount, cause);
  return account;
}
