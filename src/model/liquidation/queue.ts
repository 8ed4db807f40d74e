import { type Bucket, bucketsOf, collateralOf, openPositionsOf } from "../margin/health.ts";
import { statusRules } from "../market/lifecycle.ts";
import { isTrusted } from "../prices/validity.ts";
import type { ModelState, Position } from "../state.ts";
import { isDistressed, measureAbove } from "./above.ts";
import { waits } from "./policies.ts";
import { placeOf } from "./record.ts";

/** A bucket that is due, with what the queue goes by. */
interface Due {
  readonly bucket: Bucket;
  readonly since: number;
  readonly equity: bigint;
  readonly maintenance: bigint;
}

/** Whether liquidations close positions of the market: by status, and not paused (MKT). */
export function isClosable({ market }: Position): boolean {
  return statusRules(market).liquidate && market.parameters.pauseLiquidate === "off";
}

/** With a position and below maintenance, or flat and negative (LIQ, LIQ-7). */
export function isDue(bucket: Bucket): boolean {
  if (openPositionsOf(bucket).length === 0) return collateralOf(bucket) < 0n;
  const { equity, maintenance } = measureAbove(bucket);
  return equity < maintenance;
}

/** Whether the price of every market in which it has a position allows it (PRC-1, PRC-4). */
export function mayLiquidate(state: ModelState, bucket: Bucket): boolean {
  return openPositionsOf(bucket).every(({ market }) => !market.gap && isTrusted(market, state.timeMs, "liquidate"));
}

/** Whether a turn would do anything now: not where all that is not paused waits between chunks without distress (LIQ-2, MKT). */
export function hasTurn(state: ModelState, bucket: Bucket): boolean {
  const open = openPositionsOf(bucket);
  if (open.length === 0) return true;
  const closable = open.filter(isClosable);
  if (closable.length === 0) return false;
  return isDistressed(measureAbove(bucket)) || closable.some((position) => !waits(position, state.timeMs));
}

/** Whoever is due: left over first, oldest first; then worst equity / maintenance, larger maintenance, account, cross first. */
export function findQueue(state: ModelState): Bucket[] {
  const due: Due[] = state.accounts
    .filter(({ role }) => role === "normal")
    .flatMap((account) => bucketsOf(account))
    .filter(isDue)
    .map((bucket) => ({ bucket, since: dueSinceOf(bucket), ...pick(measureAbove(bucket)) }));
  return due.sort(compareDue).map(({ bucket }) => bucket);
}

function pick({ equity, maintenance }: { readonly equity: bigint; readonly maintenance: bigint }) {
  return { equity, maintenance };
}

function compareDue(a: Due, b: Due): number {
  if (a.since !== b.since) return a.since === 0 ? 1 : b.since === 0 ? -1 : a.since - b.since;
  const worse = a.equity * b.maintenance - b.equity * a.maintenance;
  if (worse !== 0n) return worse < 0n ? -1 : 1;
  if (a.maintenance !== b.maintenance) return a.maintenance > b.maintenance ? -1 : 1;
  return a.bucket.account.id - b.bucket.account.id || placeOf(a.bucket) - placeOf(b.bucket);
}

export function dueSinceOf({ account, isolated }: Bucket): number {
  return (isolated ?? account).dueSince;
}

export function setDueSince({ account, isolated }: Bucket, since: number): void {
  (isolated ?? account).dueSince = since;
}
