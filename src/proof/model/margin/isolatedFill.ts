import { abs, max } from "../arithmetic.ts";
import { computeOwed } from "../funding/settle.ts";
import { computeFill } from "../positions/computeFill.ts";
import type { Position } from "../state.ts";
import { freeOf, isOutOfRange, measureView, viewMarginAccount } from "./health.ts";
import { initialOf, valueAt } from "./valuation.ts";

/** The two parts of a fill that goes through zero: the part that closes, then the part that opens. */
export function splitFill(signedLots: bigint, lots: bigint): { readonly closing: bigint; readonly opening: bigint } {
  if (signedLots === 0n || signedLots > 0n === lots > 0n) return { closing: 0n, opening: lots };
  return abs(lots) <= abs(signedLots)
    ? { closing: lots, opening: 0n }
    : { closing: -signedLots, opening: signedLots + lots };
}

/**
 * The amount that a fill moves from cross into an isolated margin account before it is applied; negative comes back
 * (decision 0009).
 *
 *     increase       initial(after) - initial(before) + max(0, loss + fee)
 *     reduce         0
 *     through zero   initial(after) + max(0, loss of the opening part + fee) - rest of the margin account after the close
 *
 * The loss is against the mark: the fill would realise it at once.
 */
export function amountForFill(position: Position, lots: bigint, value: bigint, fee: bigint): bigint {
  const { market, signedLots, cost, leverage } = position;
  const { closing, opening } = splitFill(signedLots, lots);
  if (opening === 0n) return 0n;
  const worth = (at: bigint) => valueAt(market, at, market.mark);
  const initial = initialOf(market, signedLots + lots, leverage);
  if (closing === 0n) {
    const loss = value - (worth(signedLots + lots) - worth(signedLots)) + fee;
    return initial - initialOf(market, signedLots, leverage) + max(0n, loss);
  }
  const after = computeFill({ signedLots, cost }, lots, value);
  return initial + max(0n, after.cost - worth(after.signedLots) + fee) - leftAfterClose(position, lots, value);
}

/** The rest of an isolated margin account after a fill has closed its position, before the fee. */
export function leftAfterClose(position: Position, lots: bigint, value: bigint): bigint {
  return position.isolated - computeOwed(position).payment + computeFill(position, lots, value).realized;
}

/**
 * Whether the margin accounts can fund a fill: a close leaves nothing negative, and an opening's amount is free in
 * cross.
 */
export function canFund(position: Position, lots: bigint, value: bigint, fee: bigint): boolean {
  const { closing, opening } = splitFill(position.signedLots, lots);
  const after = position.signedLots + lots;
  if (closing !== 0n && opening === 0n && after !== 0n) return true;
  if (closing !== 0n && leftAfterClose(position, lots, value) - (after === 0n ? fee : 0n) < 0n) return false;
  const amount = amountForFill(position, lots, value, fee);
  if (amount <= 0n) return true;
  const free = freeForFill(position);
  return free !== undefined && amount <= free;
}

export function moveForFill(position: Position, lots: bigint, value: bigint, fee: bigint): void {
  const amount = amountForFill(position, lots, value, fee);
  position.account.collateral -= amount;
  position.isolated += amount;
}

/**
 * The amount that cross can give to a fill: free by MRG-5, resting orders not counted (decision 0009). Undefined if its
 * sums are beyond the storable range (NUM-3).
 */
export function freeForFill(position: Position): bigint | undefined {
  const view = viewMarginAccount({ account: position.account, isolated: undefined });
  for (const exposure of view.exposures) {
    exposure.buys = 0n;
    exposure.sells = 0n;
    exposure.buyOrderCost = 0n;
    exposure.sellOrderCost = 0n;
  }
  const health = measureView(view);
  return isOutOfRange(health) ? undefined : freeOf(health);
}
