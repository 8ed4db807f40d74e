import { NONE } from "../../../ground/collections/table.ts";
import { type Amount, LIMIT } from "../../../ground/math/fixed.ts";
import { AccountKey } from "../../../protocol/accountKey.ts";
import { BALANCE_CAUSE } from "../../../protocol/events.ts";
import { ROLE } from "../../../protocol/words.ts";
import { defineHandler, type Plan, reject } from "../handler/defineHandler.ts";
import { changeBalance } from "../insurance/insurance.ts";
import { computeFree, measure } from "../margin/health.ts";
import { checkOutflowPrices, checkOutflowRestarting } from "../prices/validity.ts";
import { createAccount, findAccount } from "../state/accounts.ts";
import { checkWithdrawPause } from "./checkWithdrawPause.ts";

interface TransferPlan extends Plan {
  readonly key: AccountKey;
  readonly to: number;
  readonly amount: Amount;
}

/** Moves free collateral to another account (MRG-5), which is created if it does not exist (ACC). */
export const handleTransfer = defineHandler<"transfer">("transfer")<TransferPlan>({
  check(state, { account }, { to, toSubaccount, amount }) {
    const key = new AccountKey(to, toSubaccount);
    const paused = checkWithdrawPause(state, account);
    if (paused !== undefined) return paused;
    const restarting = checkOutflowRestarting(state, account);
    if (restarting !== undefined) return restarting;
    if (amount === 0) return reject("NOTHING_TO_DO", { amount });
    const target = findAccount(state, key);
    const held = target === NONE ? 0 : state.accounts.collateral[target];
    if (target !== account && held + amount > LIMIT / 4) {
      return reject("NUMERIC_LIMIT", { amount, limit: LIMIT / 4 });
    }
    const unpriced = checkOutflowPrices(state, account);
    if (unpriced !== undefined) return unpriced;
    const free = computeFree(state.accounts.collateral[account], measure(state, account));
    if (amount > free) return reject("INSUFFICIENT_FREE_COLLATERAL", { amount, free });
    if (target === account) return reject("SAME_ACCOUNT", { account: to, subaccount: toSubaccount });
    return { rejected: false, key, to: target, amount };
  },

  apply(state, { account }, { key, to, amount }) {
    const target = (to === NONE ? createAccount(state, key, ROLE.normal) : to) as typeof account;
    state.events.transferred({ from: account, to: target, amount });
    changeBalance(state, account, (0 - amount) as Amount, BALANCE_CAUSE.transferOut);
    changeBalance(state, target, amount, BALANCE_CAUSE.transferIn);
  },
});
