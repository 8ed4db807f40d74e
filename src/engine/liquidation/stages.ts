import { bucketMarket } from "../margin/bucket.ts";
import type { State } from "../state/state.ts";
import type { Bucket, BucketPosition } from "./bucket.ts";

/** Says that a liquidation entered a stage in one of its markets, with the zero price and the cooldown for readers. */
export function enterStage(state: State, bucket: Bucket, part: BucketPosition, stage: number): void {
  const rules = state.parameters[part.market]!;
  // Zero price, 1e-8 USD: cash of the whole over its lots.
  const perLot = BigInt(part.zero.lots) * BigInt(rules.lotNumerator);
  const cash = part.zero.total < 0n ? -part.zero.total : part.zero.total;
  state.events.liquidationStage({
    liquidation: bucket.id,
    account: bucket.account,
    stage,
    market: part.market,
    cooldownMs: state.positions.cooldown[part.position],
    zeroPrice: Number((cash * BigInt(rules.lotDenominator)) / perLot),
    bucket: bucketMarket(state, bucket.isolated),
  });
}
