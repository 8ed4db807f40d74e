import { NONE } from "../../../ground/collections/table.ts";
import type { Amount } from "../../../ground/math/fixed.ts";
import { MARGIN_MODE } from "../../../protocol/words.ts";
import { keepAccount, keepPosition } from "./journalRows.ts";
import type { MarginTables } from "./marginTables.ts";
import type { AccountRow, MarketRow, PositionRow } from "./schema.ts";
import type { State } from "./state.ts";

/** A margin account by name. */
export interface MarginAccountName {
  readonly account: AccountRow;
  /** The isolated position whose margin account it is, NONE for the account's cross margin account. */
  readonly isolated: PositionRow;
  /** Part of its equity that a backstop's loss limit keeps out of reach (LIQ-3); 0 for all other accounts. */
  readonly reserve: number;
}

/*
 * A margin account is an account's cross collateral with its cross positions, or one isolated position with collateral
 * of its own (MRG-2). It is named by the account and, for an isolated one, the position; `NONE` in its place names the
 * cross margin account.
 */

/**
 * The margin account that a position belongs to: itself where it is isolated, `NONE` for its account's cross margin
 * account.
 */
export function marginAccountOf(state: MarginTables, position: PositionRow): PositionRow {
  return state.positions.mode[position] === MARGIN_MODE.cross ? (NONE as PositionRow) : position;
}

/**
 * What names a margin account in events and in order: the market of an isolated position, -1 for the cross margin
 * account.
 */
export function marginAccountMarket(state: State, isolated: PositionRow): MarketRow {
  return isolated === NONE ? (NONE as MarketRow) : state.positions.market[isolated];
}

/** Collateral of a margin account. */
export function getCollateral(state: MarginTables, account: AccountRow, isolated: PositionRow): Amount {
  return isolated === NONE ? state.accounts.collateral[account] : state.positions.isolated[isolated];
}

/** Adds to the collateral of a margin account and returns the new value. The caller writes the event. */
export function addCollateral(state: State, account: AccountRow, isolated: PositionRow, delta: number): Amount {
  if (isolated === NONE) keepAccount(state, account);
  else keepPosition(state, isolated);
  const after = (getCollateral(state, account, isolated) + delta) as Amount;
  if (isolated === NONE) state.accounts.collateral[account] = after;
  else state.positions.isolated[isolated] = after;
  return after;
}

/** Height at which a margin account first was due for liquidation, 0 for not waiting. */
export function getQueuedSince(state: State, account: AccountRow, isolated: PositionRow): number {
  return isolated === NONE ? state.accounts.queuedSince[account] : state.positions.queuedSince[isolated];
}

/** Notes since when a margin account is due, and emits it. */
export function setQueuedSince(state: State, account: AccountRow, isolated: PositionRow, since: number): void {
  if (isolated === NONE) state.accounts.queuedSince[account] = since;
  else state.positions.queuedSince[isolated] = since;
  state.events.liquidationQueued({ account, marginAccount: marginAccountMarket(state, isolated), since });
}
