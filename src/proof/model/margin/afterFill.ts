import { positionOf } from "../accounts.ts";
import { abs } from "../arithmetic.ts";
import type { Account, Market } from "../state.ts";
import { LIMIT } from "../words.ts";
import {
  exposureIn,
  type Health,
  type MarginAccountView,
  marginAccountOf,
  measureView,
  viewMarginAccount,
} from "./health.ts";
import { amountForFill } from "./isolatedFill.ts";

/** The margin account that a fill of an account in a market concerns, before and after it, as margin looks at it. */
export interface LookAhead {
  readonly before: Health;
  readonly after: Health;
  /** What the fill would move from cross to an isolated margin account. */
  readonly moved: bigint;
}

/**
 * Looks ahead to a fill without doing it: funding settled, cost and fee paid. What is realised and what stays unrealised
 * add up to the same equity.
 *
 * @param lots  positive for a purchase
 * @param value paid for them; negative is received
 */
export function lookAhead(account: Account, market: Market, lots: bigint, value: bigint, fee: bigint): LookAhead {
  const position = positionOf(account, market);
  const marginAccount = marginAccountOf(position);
  const view = viewMarginAccount(marginAccount);
  const before = measureView(view);
  const moved = position.mode === "isolated" ? amountForFill(position, lots, value, fee) : 0n;
  view.collateral += moved;
  addFill(view, account, market, lots, value, fee);
  return { before, after: measureView(view), moved };
}

export function addFill(
  view: MarginAccountView,
  account: Account,
  market: Market,
  lots: bigint,
  value: bigint,
  fee: bigint,
): void {
  const exposure = exposureIn(view, account, market);
  view.collateral -= fee + exposure.owed;
  exposure.owed = 0n;
  exposure.size += lots;
  exposure.cost += value;
  if (exposure.size === 0n) {
    view.collateral -= exposure.cost;
    exposure.cost = 0n;
  }
}

/** The second half of MRG-4: neither a greater requirement nor a lower equity / maintenance, compared crosswise. */
export function isNoWorse(before: Health, after: Health, requirement: "initial" | "required"): boolean {
  if (after[requirement] > before[requirement]) return false;
  return after.equity * before.maintenance >= before.equity * after.maintenance;
}

/** Whether the sums of a margin account's positions can be stored (NUM-3); orders count at entry. */
function isStorable({ equity, notional, losses }: Health): boolean {
  return abs(equity) <= LIMIT && notional <= LIMIT && -losses <= LIMIT;
}

/** Whether a maker's margin account stands a fill: midway between maintenance and initial, or no worse than before (ORD-6). */
export function coversMargin({ before, after }: LookAhead): boolean {
  if (!isStorable(before) || abs(after.equity) > LIMIT || after.initial > LIMIT) return false;
  if (2n * after.equity >= after.initial + after.maintenance) return true;
  return after.maintenance <= before.maintenance && isNoWorse(before, after, "initial");
}
