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

/** The margin account of a fill, before and after it, as a view. */
export interface LookAhead {
  readonly before: Health;
  readonly after: Health;
  /** Amount that the fill would move from cross to an isolated margin account. */
  readonly moved: bigint;
}

/**
 * Forecasts a fill without applying it: funding settled, cost and fee paid. Realised and unrealised profit together do
 * not change.
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
  exposure.signedLots += lots;
  exposure.cost += value;
  if (exposure.signedLots === 0n) {
    view.collateral -= exposure.cost;
    exposure.cost = 0n;
  }
}

/**
 * The second half of MRG-4: neither a greater margin nor a lower equity / maintenance, compared by
 * cross-multiplication.
 */
export function isNoWorse(before: Health, after: Health, margin: "initial" | "required"): boolean {
  if (after[margin] > before[margin]) return false;
  return after.equity * before.maintenance >= before.equity * after.maintenance;
}

/** Whether the sums of a margin account's positions can be stored (NUM-3); orders count at entry. */
function isStorable({ equity, notional, losses }: Health): boolean {
  return abs(equity) <= LIMIT && notional <= LIMIT && -losses <= LIMIT;
}

/**
 * Whether a maker's margin account can take the fill: at least midway between maintenance and initial margin, or no
 * worse than before (ORD-6).
 */
export function coversMargin({ before, after }: LookAhead): boolean {
  if (!isStorable(before) || abs(after.equity) > LIMIT || after.initial > LIMIT) return false;
  if (2n * after.equity >= after.initial + after.maintenance) return true;
  return after.maintenance <= before.maintenance && isNoWorse(before, after, "initial");
}
