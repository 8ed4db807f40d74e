import { min } from "../arithmetic.ts";
import { emit } from "../emitted.ts";
import { APPLIED, rejected } from "../receipts.ts";
import type { ModelState } from "../state.ts";
import type { Handler, ModelAction } from "./handler.ts";

/** Brings collateral into the fund, which first repays bad debt (LIQ-6). */
const apply: Handler<"fundInsurance"> = (state, _context, { amount }) => {
  if (Number(amount) === 0) return rejected("NOTHING_TO_DO");
  state.totals.inflows += BigInt(amount);
  addToFund(state, BigInt(amount), { cause: "funded", market: -1, account: -1 });
  return APPLIED;
};

export const fundInsurance: ModelAction<"fundInsurance"> = { domain: "system", authority: "operator", apply };

/** Income of the insurance fund repays bad debt first (LIQ-6). */
export function addToFund(
  state: ModelState,
  income: bigint,
  of: { readonly cause: "funded" | "liquidationFee"; readonly market: number; readonly account: number },
): void {
  if (income === 0n) return;
  const { totals } = state;
  const repaid = min(income, totals.badDebt);
  totals.badDebt -= repaid;
  totals.insurance += income - repaid;
  emit(state, "insuranceChanged", { ...of, delta: income });
  if (repaid === 0n) return;
  emit(state, "badDebtChanged", { delta: -repaid, account: -1 });
  emit(state, "insuranceChanged", { ...of, delta: -repaid, cause: "debtRepaid" });
}
