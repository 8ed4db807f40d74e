import type { Amount } from "../../../ground/math/fixed.ts";
import { BALANCE_CAUSE } from "../../../protocol/events.ts";
import { defineHandler, type Plan, reject } from "../handler/defineHandler.ts";
import { changeBalance } from "../insurance/insurance.ts";
import { computeFree, measure } from "../margin/health.ts";
import { countOutflow } from "../margin/outflow.ts";
import { checkOutflowPrices, checkOutflowRestarting } from "../prices/validity.ts";
import { TOTAL } from "../state/totals.ts";
import { checkOutflow } from "./checkOutflow.ts";
import { checkWithdrawPause } from "./checkWithdrawPause.ts";

/** Takes free collateral out of the venue, as far as its own gates are open (MRG-5). */
export const handleWithdraw = defineHandler<"withdraw">("withdraw")<Plan & { readonly amount: Amount }>({
  check(state, { account }, { amount }) {
    const paused = checkWithdrawPause(state, account);
    if (paused !== undefined) return paused;
    const restarting = checkOutflowRestarting(state, account);
    if (restarting !== undefined) return restarting;
    if (amount === 0) return reject("NOTHING_TO_DO", { amount });
    const unpriced = checkOutflowPrices(state, account);
    if (unpriced !== undefined) return unpriced;
    const free = computeFree(state.accounts.collateral[account], measure(state, account));
    if (amount > free) return reject("INSUFFICIENT_FREE_COLLATERAL", { amount, free });
    return checkOutflow(state, amount) ?? { rejected: false, amount };
  },

  apply(state, { account }, { amount }) {
    state.totals.add(TOTAL.withdrawals, amount);
    countOutflow(state, amount);
    state.events.withdrawn({ account, amount });
    changeBalance(state, account, (0 - amount) as Amount, BALANCE_CAUSE.withdrawal);
  },
});
