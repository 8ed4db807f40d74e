import { max, min } from "../arithmetic.ts";
import { countUnpaid } from "../margin/gates.ts";
import { addCollateral, type Bucket, bucketOf, collateralOf } from "../margin/health.ts";
import { maintenanceOf } from "../margin/requirement.ts";
import type { Market, ModelState, Position } from "../state.ts";
import { tell } from "../told.ts";
import { measureAbove } from "./above.ts";
import { computeCoverLeft, payCover } from "./insurance.ts";
import type { Pass } from "./part.ts";
import { insuresDeficit } from "./policies.ts";
import { placeOf, recordOf, tellStage } from "./record.ts";
import { computeLossShares } from "./zeroValue.ts";

/** The fund pays what a flat bucket lacks, as far as it may; answers what is left unpaid (LIQ-6). */
export function coverDeficit(state: ModelState, bucket: Bucket, market: Market | undefined): bigint {
  const loss = -collateralOf(bucket);
  if (loss <= 0n) return 0n;
  const paid = min(loss, computeCoverLeft(state, bucket.account, market));
  if (paid > 0n) {
    payCover(state, bucket.account, market, paid, "deficit");
    addCollateral(bucket, paid);
  }
  if (loss > paid) countUnpaid(state, loss - paid);
  return loss - paid;
}

/**
 * Pays what a flat bucket lacks: the fund, within the caps of the market of the largest position that it held when the pass
 * began and if that one's policy has it pay; then those who held the opposite side then, pro rata to equity above
 * maintenance and capped by it; the rest is bad debt (LIQ-6). One that was flat already then has no market and no other
 * side (LIQ-7).
 */
export function payDeficit(state: ModelState, pass: Pass, bucket: Bucket): void {
  const held = listHeld(pass, bucket);
  const first = held[0];
  const loss = -collateralOf(bucket);
  if (loss <= 0n) return;
  if (first === undefined || insuresDeficit(first)) coverDeficit(state, bucket, first?.market);
  else countUnpaid(state, loss);
  if (collateralOf(bucket) === 0n) return;
  tellStage(state, bucket, "socialized", first?.market.ordinal, 0);
  const opposite = held.flatMap((own) =>
    (pass.sizes.get(own)! > 0n ? pass.shorts : pass.longs).filter(({ market }) => market === own.market),
  );
  const holders = uniqueBuckets(opposite.map(bucketOf)).filter(({ account }) => account !== bucket.account);
  holders.sort((a, b) => a.account.id - b.account.id || placeOf(a) - placeOf(b));
  const aboves = holders.map((holder) => {
    const { equity, maintenance } = measureAbove(holder);
    return max(0n, equity - maintenance);
  });
  for (const [place, share] of computeLossShares(-collateralOf(bucket), aboves).entries()) {
    if (share === 0n) continue;
    const { account } = holders[place]!;
    tell(state, "lossSocialized", { liquidation: recordOf(bucket), account: account.id, amount: share });
    addCollateral(holders[place]!, -share);
    addCollateral(bucket, share);
  }
  const rest = -collateralOf(bucket);
  addCollateral(bucket, rest);
  bookBadDebt(state, bucket, rest);
}

/** What nobody pays of a bucket's deficit (LIQ-6). */
export function bookBadDebt(state: ModelState, { account }: Bucket, amount: bigint): void {
  if (amount === 0n) return;
  state.totals.badDebt += amount;
  tell(state, "badDebtChanged", { delta: amount, account: account.id });
}

/** What a bucket held when the pass began, by larger maintenance, then market. */
function listHeld({ sizes }: Pass, { account, isolated }: Bucket): Position[] {
  const maintenance = (position: Position) => maintenanceOf(position.market, sizes.get(position)!);
  return [...sizes.keys()]
    .filter((position) => position.account === account && bucketOf(position).isolated === isolated)
    .sort((a, b) => Number(maintenance(b) - maintenance(a)) || a.market.ordinal - b.market.ordinal);
}

function uniqueBuckets(buckets: readonly Bucket[]): Bucket[] {
  return [...new Map(buckets.map((bucket) => [bucket.isolated ?? bucket.account, bucket])).values()];
}
