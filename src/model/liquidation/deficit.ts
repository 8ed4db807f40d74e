import { max, min } from "../arithmetic.ts";
import { countUnpaid } from "../margin/gates.ts";
import { addCollateral, type Bucket, bucketOf, collateralOf } from "../margin/health.ts";
import type { Market, ModelState, Position } from "../state.ts";
import { measureAbove } from "./above.ts";
import { computeCoverLeft, payCover } from "./insurance.ts";
import type { Pass } from "./part.ts";
import { insuresDeficit } from "./policies.ts";
import { computeLossShares } from "./zeroValue.ts";

/** The fund pays what a flat bucket lacks, as far as it may; answers what is left unpaid (LIQ-6). */
export function coverDeficit(state: ModelState, bucket: Bucket, market: Market | undefined): bigint {
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

/** A position that a bucket held when its turn began. */
export interface Held {
  readonly position: Position;
  readonly long: boolean;
}

/**
 * Pays what a flat bucket lacks: the fund, within the caps of the market of its largest position and if that one's policy
 * has it pay; then those who held the opposite side of what it held when the pass began, pro rata to equity above
 * maintenance and capped by it; the rest is bad debt (LIQ-6). One that was flat already has no market and no other side
 * (LIQ-7).
 */
export function payDeficit(state: ModelState, pass: Pass, bucket: Bucket, held: readonly Held[]): void {
  const first = held[0]?.position;
  const loss = -collateralOf(bucket);
  if (loss <= 0n) return;
  if (first === undefined || insuresDeficit(first)) coverDeficit(state, bucket, first?.market);
  else countUnpaid(state, loss);
  const opposite = held.flatMap(({ position, long }) =>
    (long ? pass.shorts : pass.longs).filter(({ market }) => market === position.market),
  );
  const holders = uniqueBuckets(opposite.map(bucketOf)).filter(({ account }) => account !== bucket.account);
  const aboves = holders.map((holder) => {
    const { equity, maintenance } = measureAbove(holder);
    return max(0n, equity - maintenance);
  });
  for (const [place, share] of computeLossShares(-collateralOf(bucket), aboves).entries()) {
    addCollateral(holders[place]!, -share);
    addCollateral(bucket, share);
  }
  const rest = -collateralOf(bucket);
  state.totals.badDebt += rest;
  addCollateral(bucket, rest);
}

function uniqueBuckets(buckets: readonly Bucket[]): Bucket[] {
  return [...new Map(buckets.map((bucket) => [bucket.isolated ?? bucket.account, bucket])).values()];
}
