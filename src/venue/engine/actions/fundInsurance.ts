import { NONE } from "../../../ground/collections/table.ts";
import type { Amount } from "../../../ground/math/fixed.ts";
import { INSURANCE_CAUSE } from "../../../protocol/events.ts";
import { defineHandler, type Plan, reject } from "../handler/defineHandler.ts";
import { fundInsurance } from "../insurance/insurance.ts";
import { TOTAL } from "../state/totals.ts";

/** Brings collateral into the insurance fund; bad debt is repaid from it first. */
export const handleFundInsurance = defineHandler<"fundInsurance">("fundInsurance")<Plan & { readonly amount: Amount }>({
  check(_state, _context, { amount }) {
    return amount === 0 ? reject("NOTHING_TO_DO", { amount }) : { rejected: false, amount };
  },

  apply(state, _context, { amount }) {
    state.totals.add(TOTAL.inflows, amount);
    fundInsurance(state, amount, INSURANCE_CAUSE.funded, NONE, NONE);
  },
});
