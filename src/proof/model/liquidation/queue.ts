import { collateralOf, type MarginAccount, marginAccountsOf, openPositionsOf } from "../margin/health.ts";
import { statusRules } from "../market/lifecycle.ts";
import { isTrusted } from "../prices/validity.ts";
import type { ModelState, Position } from "../state.ts";
import { waits } from "./policies.ts";
import { placeOf } from "./record.ts";
import { isDistressed, measureWithoutReserve } from "./withoutReserve.ts";

/** A due margin account, with its sort key. */
interface Due {
  readonly marginAccount: MarginAccount;
  readonly since: number;
  readonly equity: bigint;
  readonly maintenance: bigint;
}

/** Whether liquidations close positions of the market: by status, and not paused (MKT). */
export function isClosable({ market }: Position): boolean {
  return statusRules(market).liquidate && market.parameters.pauseLiquidate === "off";
}

/** With a position and below maintenance, or flat and negative (LIQ, LIQ-7). */
export function isDue(marginAccount: MarginAccount): boolean {
  if (openPositionsOf(marginAccount).length === 0) return collateralOf(marginAccount) < 0n;
  const { equity, maintenance } = measureWithoutReserve(marginAccount);
  return equity < maintenance;
}

/** Whether the price of every market in which it has a position allows it (PRC-1, PRC-4). */
export function mayLiquidate(state: ModelState, marginAccount: MarginAccount): boolean {
  return openPositionsOf(marginAccount).every(
    ({ market }) => !market.restarting && isTrusted(market, state.timeMs, "liquidate"),
  );
}

/**
 * Whether a step would do anything now: not if every position that is not paused waits between chunks without distress
 * (LIQ-2, MKT).
 */
export function hasStep(state: ModelState, marginAccount: MarginAccount): boolean {
  const open = openPositionsOf(marginAccount);
  if (open.length === 0) return true;
  const closable = open.filter(isClosable);
  if (closable.length === 0) return false;
  return (
    isDistressed(measureWithoutReserve(marginAccount)) || closable.some((position) => !waits(position, state.timeMs))
  );
}

/**
 * Due margin accounts: left over first, oldest first; then worst equity / maintenance, larger maintenance, account,
 * cross first.
 */
export function findQueue(state: ModelState): MarginAccount[] {
  const due: Due[] = state.accounts
    .filter(({ role }) => role === "normal")
    .flatMap((account) => marginAccountsOf(account))
    .filter(isDue)
    .map((marginAccount) => ({
      marginAccount,
      since: dueSinceOf(marginAccount),
      ...pick(measureWithoutReserve(marginAccount)),
    }));
  return due.sort(compareDue).map(({ marginAccount }) => marginAccount);
}

function pick({ equity, maintenance }: { readonly equity: bigint; readonly maintenance: bigint }) {
  return { equity, maintenance };
}

function compareDue(a: Due, b: Due): number {
  if (a.since !== b.since) return a.since === 0 ? 1 : b.since === 0 ? -1 : a.since - b.since;
  const worse = a.equity * b.maintenance - b.equity * a.maintenance;
  if (worse !== 0n) return worse < 0n ? -1 : 1;
  if (a.maintenance !== b.maintenance) return a.maintenance > b.maintenance ? -1 : 1;
  return a.marginAccount.account.id - b.marginAccount.account.id || placeOf(a.marginAccount) - placeOf(b.marginAccount);
}

export function dueSinceOf({ account, isolated }: MarginAccount): number {
  return (isolated ?? account).dueSince;
}

export function setDueSince({ account, isolated }: MarginAccount, since: number): void {
  (isolated ?? account).dueSince = since;
}
