import { compareProducts, PPM } from "../../../ground/math/fixed.ts";
import { DEPTH, measureMarginAccount } from "../margin/health.ts";
import type { MarginAccountName } from "../state/marginAccount.ts";
import type { State } from "../state/state.ts";

/**
 * Sign of equity * under - maintenance * over for a margin account in its present state, compared crosswise (NUM-4).
 * The reserve beyond a backstop's loss limit is no equity here (LIQ-3).
 */
function compareEquity(state: State, marginAccount: MarginAccountName, over: number, under: number): number {
  const health = measureMarginAccount(state, marginAccount.account, marginAccount.isolated, DEPTH.risk);
  if (!health.overflow && marginAccount.reserve === 0)
    return compareProducts(health.equity, under, health.maintenance, over);
  const equity = (health.overflow ? health.bigEquity : BigInt(health.equity)) - BigInt(marginAccount.reserve);
  const maintenance = health.overflow ? health.bigMaintenance : BigInt(health.maintenance);
  const difference = equity * BigInt(under) - maintenance * BigInt(over);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/** Equity below maintenance. */
export function isLiquidatable(state: State, marginAccount: MarginAccountName): boolean {
  return compareEquity(state, marginAccount, 1, 1) < 0;
}

/** Equity below two thirds of maintenance: no chunks, no waiting, and the backstop may step in (LIQ-2, LIQ-3). */
export function isDistressed(state: State, marginAccount: MarginAccountName): boolean {
  return compareEquity(state, marginAccount, 2, 3) < 0;
}

/** Equity at or below a share of maintenance, in ppm: at 0, equity is gone (LIQ-4). */
export function isGone(state: State, marginAccount: MarginAccountName, closeOut: number): boolean {
  return compareEquity(state, marginAccount, closeOut, PPM) <= 0;
}

/**
 * Whether a backstop may step in (LIQ-3): the margin account has equity, too little of it, and had some when its
 * bankruptcy prices were fixed. Without equity then, its bankruptcy price is beyond the mark. Fills in the book may
 * raise its equity above zero, but a backstop would pay for its deficit. It waits for its next liquidation step.
 */
export function isTakeable(state: State, marginAccount: MarginAccountName & { readonly equity: bigint }): boolean {
  return marginAccount.equity > 0n && isDistressed(state, marginAccount) && !isGone(state, marginAccount, 0);
}
