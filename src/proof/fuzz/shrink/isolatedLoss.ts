import { MARGIN_MODE } from "../../../protocol/words.ts";
import type { PositionRow } from "../../../venue/engine/state/schema.ts";
import type { State } from "../../../venue/engine/state/state.ts";

/** The only margin tier of a relaxed market, the lowest that may be defined, and its initial rate. */
export const LOWEST_TIER = "0 0.000002 0.000001";
const LOWEST_RATE = 0.000_002;

/** Roundings of an entry, quote units. */
const ROUNDINGS = 8;

/** Entry price of a position in whole ticks; at least one. */
export function entryTicks(venue: State, position: PositionRow, cost: number): number {
  const { positions, parameters } = venue;
  const { tickLotValue } = parameters[positions.market[position]!]!;
  return Math.max(1, Math.round(cost / positions.signedLots[position]! / tickLotValue));
}

/**
 * Lots that an isolated position is opened with beyond its size, to be closed at a loss. An entry brings at least the
 * initial margin of the lowest tier, and no rule lets its owner remove all of it. A realised loss takes any amount.
 *
 * @returns 0 if the margin of the position is reached without a loss, or by no loss
 */
export function countLossLots(venue: State, position: PositionRow): number {
  const { positions, parameters } = venue;
  const signedLots = positions.signedLots[position]!;
  if (positions.mode[position]! !== MARGIN_MODE.isolated || signedLots === 0) return 0;
  const { tickLotValue } = parameters[positions.market[position]!]!;
  const ticks = entryTicks(venue, position, positions.cost[position]!);
  const brought = ticks * tickLotValue * LOWEST_RATE;
  const excess = Math.abs(signedLots) * brought + ROUNDINGS - positions.isolated[position]!;
  const loss = mostLossTicks(signedLots, ticks) * tickLotValue - brought;
  return excess <= 0 || loss <= 0 ? 0 : Math.ceil(excess / loss);
}

/** Greatest distance from the entry price at which lots close at a loss: a long closes at one tick or more. */
export function mostLossTicks(signedLots: number, ticks: number): number {
  return signedLots > 0 ? ticks - 1 : Math.max(1, ticks - 1);
}

/**
 * Mark at which a position is worth a little more than nothing, in ticks. So the order that closes lots at a loss
 * passes its margin check (MRG-4).
 *
 * @param even price at which the position is worth nothing, ticks
 */
export function solventTicks(signedLots: number, even: number): number {
  return signedLots > 0 ? Math.ceil(even * 1.01) + 1 : Math.max(1, Math.floor(even * 0.99) - 1);
}
