import { NONE } from "../../../ground/collections/table.ts";
import { LIQUIDATION_STAGE } from "../../../protocol/events.ts";
import { DEPTH, measureMarginAccount } from "../margin/health.ts";
import { marginAccountMarket } from "../state/marginAccount.ts";
import type { AccountRow, PositionRow } from "../state/schema.ts";
import type { State } from "../state/state.ts";

/*
 * A margin account under liquidation has a record, `L-<height>-<n>`, from its first step on until it is healthy or
 * flat, over as many steps as that takes (LIQ).
 */

/** Number of a margin account's open record, 0 for none. */
export function getRecord(state: State, account: AccountRow, isolated: PositionRow): number {
  return isolated === NONE ? state.accounts.liquidation[account] : state.positions.liquidation[isolated];
}

/** Gives a margin account a record, or takes it away with 0. The caller writes the event. */
export function setRecord(state: State, account: AccountRow, isolated: PositionRow, record: number): void {
  if (isolated === NONE) state.accounts.liquidation[account] = record;
  else state.positions.liquidation[isolated] = record;
}

/** Whether a margin account has no open position. */
export function isFlat(state: State, account: AccountRow, isolated: PositionRow): boolean {
  const health = measureMarginAccount(state, account, isolated, DEPTH.risk);
  return !health.overflow && health.notional === 0;
}

/**
 * Ends a margin account's record, if it has one: `completed` where nothing is left open, `recovered` where it is
 * healthy.
 */
export function endRecord(state: State, account: AccountRow, isolated: PositionRow): void {
  const record = getRecord(state, account, isolated);
  if (record === 0) return;
  const flat = isFlat(state, account, isolated);
  setRecord(state, account, isolated, 0);
  state.events.liquidationStage({
    liquidation: record,
    account,
    stage: flat ? LIQUIDATION_STAGE.completed : LIQUIDATION_STAGE.recovered,
    market: NONE,
    cooldownMs: 0,
    bankruptcyPrice: 0,
    marginAccount: marginAccountMarket(state, isolated),
  });
}
