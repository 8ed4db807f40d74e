import { NONE } from "../../../ground/collections/table.ts";
import type { Amount } from "../../../ground/math/fixed.ts";
import { BALANCE_CAUSE, INSURANCE_CAUSE } from "../../../protocol/events.ts";
import { addCollateral, marginAccountMarket } from "../state/marginAccount.ts";
import type { AccountRow, PositionRow } from "../state/schema.ts";
import type { State } from "../state/state.ts";
import { TOTAL } from "../state/totals.ts";

/** Income of the insurance fund: bad debt is repaid first (LIQ-6). */
export function fundInsurance(state: State, amount: Amount, cause: number, market: number, account: number): void {
  if (amount === 0) return;
  const { totals, events } = state;
  totals.add(TOTAL.insurance, amount);
  events.insuranceChanged({ delta: amount, cause, market, account });
  const debt = totals.cap(TOTAL.badDebt);
  if (debt === 0) return;
  const repaid = (debt < amount ? debt : amount) as Amount;
  totals.add(TOTAL.badDebt, (0 - repaid) as Amount);
  totals.add(TOTAL.insurance, (0 - repaid) as Amount);
  events.badDebtChanged({ delta: -repaid, account: NONE });
  events.insuranceChanged({ delta: -repaid, cause: INSURANCE_CAUSE.debtRepaid, market, account });
}

/**
 * The fund pays a margin account; the caller made sure that it may (`getInsuranceRoom`). Counted for the caps of the
 * day.
 */
export function payFromInsurance(
  state: State,
  account: AccountRow,
  isolated: PositionRow,
  amount: Amount,
  cause: number,
  market: number,
): void {
  state.totals.add(TOTAL.insurance, (0 - amount) as Amount);
  state.insured.add(state.timeMs, state.height, account, market, amount);
  state.events.insuranceChanged({ delta: -amount, cause, market, account });
  changeBalance(state, account, amount, BALANCE_CAUSE.insurance, isolated);
}

/**
 * Adds to the collateral of a margin account, emits the event, and has its account checked again.
 *
 * @param isolated position whose margin account it is; the account's cross collateral by default
 */
export function changeBalance(
  state: State,
  account: AccountRow,
  delta: Amount,
  cause: number,
  isolated: PositionRow = NONE as PositionRow,
): void {
  const collateral = addCollateral(state, account, isolated, delta);
  state.events.balanceChanged({
    account,
    delta,
    collateral,
    cause,
    marginAccount: marginAccountMarket(state, isolated),
  });
  state.risk.markDirty(state.accounts, account);
}
