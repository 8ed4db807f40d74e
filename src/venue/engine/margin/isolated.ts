/** Moves of collateral between an account's cross collateral and the margin account of an isolated position (MRG-2). */
import { NONE } from "../../../ground/collections/table.ts";
import type { Amount, Lots } from "../../../ground/math/fixed.ts";
import { ISOLATED_CAUSE } from "../../../protocol/events.ts";
import { MARGIN_MODE } from "../../../protocol/words.ts";
import { getUnsettledFunding } from "../funding/owed.ts";
import type { Health } from "../state/health.ts";
import { addCollateral } from "../state/marginAccount.ts";
import type { AccountRow, PositionRow } from "../state/schema.ts";
import type { State } from "../state/state.ts";
import { computeMarkedValue } from "../valuation/notional.ts";
import { computeRealized } from "../valuation/realized.ts";
import { computeFree, DEPTH, getSideInitial, measure } from "./health.ts";

/** Initial margin of an isolated position alone, at a size that it may not have. */
export function getIsolatedInitial(state: State, position: PositionRow, signedLots: number): number {
  const { positions, markets } = state;
  const market = positions.market[position];
  const leverage = positions.leverage[position];
  return signedLots === 0 ? 0 : getSideInitial(markets, state.parameters[market]!, market, leverage, signedLots, 0);
}

/**
 * The amount that a fill moves from cross into the margin account of an isolated position, before it is applied;
 * negative returns to cross.
 *
 *     increase       initial(after) - initial(before) + max(0, loss + fee)
 *     reduce         0; PnL and fee stay in the margin account, and a full close is given back afterwards (`returnIsolated`)
 *     through zero   initial(after) + max(0, loss of the opened part + fee) - what the close leaves in the margin account
 *
 * `loss` is what the fill loses at once against the mark, as an order is charged for it (MRG-3), so an opened margin
 * account meets its initial margin (MRG-4). Margins round up and the mark's value down.
 *
 * @returns quote units; `NaN` beyond what is storable
 */
export function computeIsolatedMove(
  state: State,
  position: PositionRow,
  lots: number,
  value: number,
  fee: number,
): number {
  const { positions } = state;
  const signedLots = positions.signedLots[position];
  const next = signedLots + lots;
  const increases = signedLots === 0 || signedLots > 0 === lots > 0;
  if (!increases && (next === 0 || next > 0 === signedLots > 0)) return 0;
  const worth = (at: number) => computeMarked(state, position, at);
  const initial = getIsolatedInitial(state, position, next);
  if (increases) {
    const loss = value - (worth(next) - worth(signedLots)) + fee;
    return initial - getIsolatedInitial(state, position, signedLots) + (loss > 0 ? loss : 0);
  }
  const left = getLeft(state, position, lots, value);
  const opened = value + positions.cost[position] + computeRealized(signedLots, positions.cost[position], lots, value);
  const loss = opened - worth(next) + fee;
  return initial + (loss > 0 ? loss : 0) - left;
}

/** The rest of an isolated margin account after a fill that closes its position, the fee not counted. */
export function getLeft(state: State, position: PositionRow, lots: number, value: number): number {
  const { positions } = state;
  const realized = computeRealized(positions.signedLots[position], positions.cost[position], lots, value);
  return positions.isolated[position] - getUnsettledFunding(state, position) + realized;
}

function computeMarked(state: State, position: PositionRow, signedLots: number): number {
  const market = state.positions.market[position];
  return computeMarkedValue(state.parameters[market]!, signedLots as Lots, state.markets.mark[market]);
}

/**
 * Whether the margin accounts of an isolated position can carry a fill. After a close no collateral is negative
 * (MRG-4). What an opening takes from cross is free to leave it, resting orders not counted (MRG-5).
 */
export function canFund(state: State, position: PositionRow, lots: number, value: number, fee: number): boolean {
  const { positions } = state;
  const signedLots = positions.signedLots[position];
  const next = signedLots + lots;
  const closes = signedLots !== 0 && signedLots > 0 !== lots > 0;
  if (closes && next !== 0 && next > 0 === signedLots > 0) return true;
  if (closes && getLeft(state, position, lots, value) - (next === 0 ? fee : 0) < 0) return false;
  const moved = computeIsolatedMove(state, position, lots, value, fee);
  return moved <= 0 || getFreeForFills(state, positions.account[position]) >= moved;
}

/**
 * The most that fills may take from cross: its free collateral, resting orders not counted (MRG-5); `NaN` if out of
 * range.
 */
export function getFreeForFills(state: State, account: AccountRow): number {
  const health = measure(state, account, DEPTH.positions);
  if (health.overflow) return Number.NaN;
  const tenth = Math.ceil(health.notional / 10);
  const held = health.positionInitial > tenth ? health.positionInitial : tenth;
  return state.accounts.collateral[account] + health.losses - held;
}

/** Moves collateral from cross to an isolated margin account, or back if `delta` is negative, and emits the move. */
export function moveIsolated(state: State, position: PositionRow, delta: number, cause: number): void {
  if (delta === 0) return;
  const { positions } = state;
  const account = positions.account[position];
  const collateral = addCollateral(state, account, NONE as PositionRow, -delta);
  const isolated = addCollateral(state, account, position, delta);
  const market = positions.market[position];
  state.events.isolatedMarginChanged({ account, market, delta, collateral, isolated, cause });
  state.risk.markDirty(state.accounts, account);
}

/** Before a fill: moves the amount that it takes from cross. A position that is not isolated takes nothing. */
export function fundFill(state: State, position: PositionRow, lots: Lots, value: Amount, fee: Amount): void {
  if (state.positions.mode[position] === MARGIN_MODE.cross) return;
  moveIsolated(state, position, computeIsolatedMove(state, position, lots, value, fee), ISOLATED_CAUSE.opened);
}

/** After a full close: returns the rest. A loss stays, for the fund (LIQ-7): it never reaches cross. */
export function returnIsolated(state: State, position: PositionRow): void {
  const { positions } = state;
  if (positions.mode[position] === MARGIN_MODE.cross || positions.signedLots[position] !== 0) return;
  if (positions.isolated[position] > 0) {
    moveIsolated(state, position, -positions.isolated[position], ISOLATED_CAUSE.closed);
  }
}

/** Free cross collateral were it not for the market asked about (MRG-5): `health` of `measure` with it as `asked`. */
export function computeFreeWithIsolated(collateral: number, health: Health): number {
  const { initial } = health;
  health.initial -= health.marketInitial;
  const free = computeFree(collateral, health);
  health.initial = initial;
  return free;
}
