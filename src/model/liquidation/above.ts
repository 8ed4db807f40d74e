import { lookAhead } from "../margin/afterFill.ts";
import { type Bucket, type Health, measure } from "../margin/health.ts";
import type { Account, Market } from "../state.ts";

/** A bucket's health as liquidations see it: a backstop's reserve is as if it were not there (LIQ-3, decision 0011). */
export function measureAbove(bucket: Bucket): Health {
  return bucket.isolated === undefined ? withoutReserve(bucket.account, measure(bucket)) : measure(bucket);
}

function withoutReserve({ reserve }: Account, health: Health): Health {
  return { ...health, collateral: health.collateral - reserve, equity: health.equity - reserve };
}

/** Health of the bucket that a trade outside the book concerns, before and after it, seen in the same way. */
export function lookAbove(
  account: Account,
  market: Market,
  lots: bigint,
  value: bigint,
): { readonly before: Health; readonly after: Health } {
  const { before, after } = lookAhead(account, market, lots, value, 0n);
  return { before: withoutReserve(account, before), after: withoutReserve(account, after) };
}

/** Below two thirds of maintenance (LIQ-2). */
export function isDistressed({ equity, maintenance }: Pick<Health, "equity" | "maintenance">): boolean {
  return 3n * equity < 2n * maintenance;
}
