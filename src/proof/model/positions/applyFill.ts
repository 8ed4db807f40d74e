import { positionOf } from "../accounts.ts";
import { settleFunding } from "../funding/settle.ts";
import { addCollateral, marginAccountOf } from "../margin/health.ts";
import { moveForFill } from "../margin/isolatedFill.ts";
import { openInterestOf } from "../market/openInterestRate.ts";
import { fitReduceOnly } from "../orders/reduceOnly.ts";
import type { Account, Market, ModelState, Position } from "../state.ts";
import { computeFill } from "./computeFill.ts";

/**
 * What a fill does to one side: funding settles, an isolated margin account gets what its order reserved, cost and realised profit
 * change, the fee is paid; a full close of an isolated position returns what is left (POS-2, MRG-2).
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
  const before = position.size;
  if (position.mode === "isolated") moveForFill(position, lots, value, fee);
  settleFunding(position);
  changePosition(position, lots, value);
  addCollateral(marginAccountOf(position), -fee);
  state.totals.fees += fee;
  if (position.mode === "isolated" && position.size === 0n) returnIsolated(position);
  fitReduceOnly(state, position, before);
}

/** Where nobody holds a position, nobody has a claim on the funding pool: it goes to the market's dust, once both sides of a fill are in (POS-4). */
export function sweepPool(state: ModelState, market: Market): void {
  if (openInterestOf(state, market) !== 0n) return;
  market.dust += market.fundingPool;
  market.fundingPool = 0n;
}

/** What a fill does to a position that is being liquidated: what its margin account has left stays there until its turn ends (LIQ). */
export function applyClose(state: ModelState, position: Position, lots: bigint, value: bigint): void {
  const before = position.size;
  settleFunding(position);
  changePosition(position, lots, value);
  fitReduceOnly(state, position, before);
}

/** Size, cost, and what was realised; a position that closes or turns carries no remainder of funding on (FND-3). */
export function changePosition(position: Position, lots: bigint, value: bigint): void {
  const before = position.size;
  if (before === 0n) position.fundingIndex = position.market.funding.index;
  const { size, cost, realized } = computeFill(position, lots, value);
  position.size = size;
  position.cost = cost;
  addCollateral(marginAccountOf(position), realized);
  if (size === 0n || (before !== 0n && before > 0n !== size > 0n)) {
    position.fundingRemainder = 0n;
  }
  if (size === 0n) position.cooldownMs = 0;
}

/** What a closed isolated margin account has left is its owner's again; a deficit stays, for the fund (MRG-2, LIQ-7). */
export function returnIsolated(position: Position): void {
  if (position.isolated <= 0n) return;
  position.account.collateral += position.isolated;
  position.isolated = 0n;
}
