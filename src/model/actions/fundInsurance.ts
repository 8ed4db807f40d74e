import { min } from "../arithmetic.ts";
import { APPLIED, rejected } from "../receipts.ts";
import type { ModelState } from "../state.ts";
import type { Handler } from "./handler.ts";

/** Brings collateral into the fund, which first repays bad debt (LIQ-6). */
export const applyFundInsurance: Handler<"fundInsurance"> = (state, _context, { amount }) => {
  if (Number(amount) === 0) return rejected("NOTHING_TO_DO");
  state.totals.inflows += BigInt(amount);
  addToFund(state, BigInt(amount));
  return APPLIED;
};

/** Income of the insurance fund repays bad debt first (LIQ-6). */
export function addToFund(state: ModelState, income: bigint): void {
  const { totals } = state;
  const repaid = min(income, totals.badDebt);
  totals.badDebt -= repaid;
  totals.insurance += income - repaid;
}
