import { NONE } from "../../../ground/collections/table.ts";
import { BALANCE_CAUSE } from "../../../protocol/events.ts";
import { defineHandler } from "../handler/defineHandler.ts";
import { type CreditPlan, credit, planCredit } from "./credit.ts";

/** Brings collateral into the venue. */
export const handleDeposit = defineHandler<"deposit">("deposit")<CreditPlan & { readonly reference: string }>({
  check(state, _context, { to, toSubaccount, amount, reference }) {
    const plan = planCredit(state, to, toSubaccount, amount);
    return plan.rejected ? plan : { ...plan, reference };
  },

  apply(state, _context, plan) {
    const account = credit(state, plan, BALANCE_CAUSE.deposit);
    const reference = plan.reference === "" ? NONE : state.events.text(plan.reference);
    state.events.deposited({ account, amount: plan.amount, reference });
  },
});
