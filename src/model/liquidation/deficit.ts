import { max, min } from "../arithmetic.ts";
import { countUnpaid } from "../margin/gates.ts";
import { addCollateral, type Bucket, bucketOf, collateralOf } from "../margin/health.ts";
import type { Market, ModelState, Position } from "../state.ts";
import { measureAbove } from "./above.ts";
import { computeCoverLeft, payCover } from "./insurance.ts";
import { computeLossShares } from "./zeroValue.ts";

/** The fund pays what a flat bucket lacks, as far as it may; answers what is left unpaid (LIQ-6). */
export function coverDeficit(state: ModelState, bucket: Bucket, market: Market): bigint {
  const loss = -collateralOf(bucket);
  if (loss <= 0n) return 0n;
  const paid = min(loss, computeCoverLeft(state, bucket.account, market));
  if (paid > 0n) {
    payCover(state, bucket.account, market, paid);
    addCollateral(bucket, paid);
  }
  if (loss > paid) countUnpaid(state, loss - paid);
  return loss - paid;
}

/**
 * What the fund left unpaid is shared by those who held the opposite side when the pass began, pro rata to equity above
 * maintenance and capped by it; the rest is bad debt (LIQ-6).
 */
export function shareDeficit(state: ModelState, bucket: Bucket, holders: readonly Position[]): void {
  const loss = -collateralOf(bucket);
  if (loss <= 0n) return;
  const aboves = holders.map((holder) => {
    const { equity, maintenance } = measureAbove(bucketOf(holder));
    return max(0n, equity - maintenance);
  });
  for (const [place, share] of computeLossShares(loss, aboves).entries()) {
    addCollateral(bucketOf(holders[place]!), -share);
    addCollateral(bucket, share);
  }
  const rest = -collateralOf(bucket);
  state.totals.badDebt += rest;
  addCollateral(bucket, rest);
}
