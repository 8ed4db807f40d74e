import type { CLOSE_KINDS } from "../../../protocol/events.ts";
import { positionOf } from "../accounts.ts";
import { abs } from "../arithmetic.ts";
import { emit } from "../emitted.ts";
import { marginAccountOf } from "../margin/health.ts";
import { applyClose, returnIsolated, sweepPool } from "../positions/applyFill.ts";
import type { Account, ModelState, Position } from "../state.ts";
import { LIMIT } from "../words.ts";
import { recordOf } from "./record.ts";

/**
 * Closes lots of a position against another account outside the book, at one value for both sides (NUM-1). Returns
 * whether it did.
 *
 * @param lots  of the position, positive
 * @param value proceeds of the position's side; negative if it pays
 */
export function closeAgainst(
  state: ModelState,
  position: Position,
  counterparty: Account,
  lots: bigint,
  value: bigint,
  way: (typeof CLOSE_KINDS)[number],
): boolean {
  const signed = position.signedLots > 0n ? -lots : lots;
  const other = positionOf(counterparty, position.market);
  if (!isStorable(position, signed, value) || !isStorable(other, -signed, value)) return false;
  emit(state, "deleveraged", {
    liquidation: recordOf(marginAccountOf(position)),
    way,
    market: position.market.ordinal,
    account: position.account.id,
    counterparty: counterparty.id,
    size: lots,
    value,
  });
  applyClose(state, position, signed, -value);
  applyClose(state, other, -signed, value);
  if (other.mode === "isolated" && other.signedLots === 0n) returnIsolated(other);
  sweepPool(state, position.market);
  return true;
}

/** Whether a position can take lots for a value at any realised profit; otherwise they stay open (NUM-3). */
export function isStorable({ account, signedLots, cost, isolated }: Position, lots: bigint, value: bigint): boolean {
  const most = abs(cost) + abs(value);
  const held = abs(account.collateral) + abs(isolated) + 2n * most;
  return abs(signedLots + lots) <= LIMIT && most <= LIMIT / 2n && held <= LIMIT;
}

/** Whether a position is still opposite to the one that is being closed. */
export function liesOpposite(position: Position, other: Position): boolean {
  return other.signedLots !== 0n && other.signedLots > 0n !== position.signedLots > 0n;
}

export function lotsOf(position: Position): bigint {
  return abs(position.signedLots);
}
