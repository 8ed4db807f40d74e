import { positionOf } from "../accounts.ts";
import { settleFunding } from "../funding/settle.ts";
import { addCollateral, marginAccountOf } from "../margin/health.ts";
import { moveForFill } from "../margin/isolatedFill.ts";
import { openInterestOf } from "../market/openInterestRate.ts";
import { fitReduceOnly } from "../orders/reduceOnly.ts";
import type { Account, Market, ModelState, Position } from "../state.ts";
import { computeFill } from "./computeFill.ts";

/**
 * The effects of a fill on one side (POS-2, MRG-2):
 *
 * 1. Funding settles.
 * 2. An isolated margin account gets its order's reserve.
 * 3. Cost and realised profit change, and the fee is paid.
 * 4. A full close of an isolated position returns its remaining collateral.
 *
 * @param lots  positive for a purchase
 * @param value paid for them; negative is received
 */
export function applyFill(
  state: ModelState,
  account: Account,
  market: Market,
  lots: bigint,
  value: bigint,
  fee: bigint,
): void {
  const position = positionOf(account, market);
  const before = position.signedLots;
  if (position.mode === "isolated") moveForFill(position, lots, value, fee);
  settleFunding(position);
  changePosition(position, lots, value);
  addCollateral(marginAccountOf(position), -fee);
  state.totals.fees += fee;
  if (position.mode === "isolated" && position.signedLots === 0n) returnIsolated(position);
  fitReduceOnly(state, position, before);
}

/**
 * With no open position no claim on the funding pool exists: the pool becomes the market's dust after both sides of a
 * fill (POS-4).
 */
export function sweepPool(state: ModelState, market: Market): void {
  if (openInterestOf(state, market) !== 0n) return;
  market.dust += market.fundingPool;
  market.fundingPool = 0n;
}

/**
 * A fill of a position in liquidation: the rest of its margin account stays there until its liquidation step ends
 * (LIQ).
 */
export function applyClose(state: ModelState, position: Position, lots: bigint, value: bigint): void {
  const before = position.signedLots;
  settleFunding(position);
  changePosition(position, lots, value);
  fitReduceOnly(state, position, before);
}

/** Size, cost and realised profit; a position that closes or reverses drops its funding remainder (FND-3). */
export function changePosition(position: Position, lots: bigint, value: bigint): void {
  const before = position.signedLots;
  if (before === 0n) position.fundingIndex = position.market.funding.index;
  const { signedLots, cost, realized } = computeFill(position, lots, value);
  position.signedLots = signedLots;
  position.cost = cost;
  addCollateral(marginAccountOf(position), realized);
  if (signedLots === 0n || (before !== 0n && before > 0n !== signedLots > 0n)) {
    position.fundingRemainder = 0n;
  }
  if (signedLots === 0n) position.cooldownMs = 0;
}

/** The rest of a closed isolated margin account returns to its owner; a deficit stays, for the fund (MRG-2, LIQ-7). */
export function returnIsolated(position: Position): void {
  if (position.isolated <= 0n) return;
  position.account.collateral += position.isolated;
  position.isolated = 0n;
}
