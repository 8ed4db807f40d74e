import { bucketMarket } from "../margin/bucket.ts";
import type { State } from "../state/state.ts";
import { type Bucket, type BucketPosition, toAmount } from "./bucket.ts";
import { computeZeroPrice } from "./zeroValue.ts";

/** Says that a liquidation entered a stage in one of its markets, with the zero price and the cooldown for readers. */
export function enterStage(state: State, bucket: Bucket, part: BucketPosition, stage: number): void {
  state.events.liquidationStage({
    liquidation: bucket.id,
    account: bucket.account,
    stage,
    market: part.market,
    cooldownMs: state.positions.cooldown[part.position],
    zeroPrice: toAmount(computeZeroPrice(state.parameters[part.market]!, part.zero.total, part.size)),
    bucket: bucketMarket(state, bucket.isolated),
  });
}
