import { abs, max } from "../arithmetic.ts";
import type { Position } from "../state.ts";
import { freeOf, measureView, viewBucket } from "./health.ts";
import { initialOf, valueAt } from "./requirement.ts";

/** A fill as it splits where it goes through zero: what closes, then what opens. */
export function splitFill(size: bigint, lots: bigint): { readonly closing: bigint; readonly opening: bigint } {
  if (size === 0n || size > 0n === lots > 0n) return { closing: 0n, opening: lots };
  return abs(lots) <= abs(size) ? { closing: lots, opening: 0n } : { closing: -size, opening: size + lots };
}

/**
 * What a fill that increases an isolated position moves from cross: what the initial requirement grows by, at the mark,
 * and what the fill loses against the mark with its fee (decision 0009). Through zero, the old size closes first.
 */
export function amountForFill(position: Position, lots: bigint, value: bigint, fee: bigint): bigint {
  const { market, size, leverage } = position;
  const { closing, opening } = splitFill(size, lots);
  if (opening === 0n) return 0n;
  const paid = (value * opening) / lots;
  const loss = max(0n, paid - valueAt(market, opening, market.mark));
  const before = closing === 0n ? initialOf(market, size, leverage) : 0n;
  return initialOf(market, size + lots, leverage) - before + loss + max(0n, fee);
}

export function moveForFill(position: Position, lots: bigint, value: bigint, fee: bigint): void {
  const amount = amountForFill(position, lots, value, fee);
  position.account.collateral -= amount;
  position.isolated += amount;
}

/** What cross can give a fill: what is free by MRG-5, resting orders not counted (decision 0009). */
export function freeForFill(position: Position): bigint {
  const view = viewBucket({ account: position.account, isolated: undefined });
  for (const exposure of view.exposures) {
    exposure.buys = 0n;
    exposure.sells = 0n;
    exposure.buyCharge = 0n;
    exposure.sellCharge = 0n;
  }
  return freeOf(measureView(view));
}
