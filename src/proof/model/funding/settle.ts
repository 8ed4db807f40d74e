import { divCeil } from "../arithmetic.ts";
import type { Position } from "../state.ts";
import { INDEX_SCALE } from "../words.ts";

/** What a position owes for the index's move since it was last settled: payment rounds up, the rest is carried (FND-3). */
export function computeOwed({ market, size, fundingIndex, fundingRemainder }: Position): {
  payment: bigint;
  remainder: bigint;
} {
  const owed = size * (market.funding.index - fundingIndex) - fundingRemainder;
  const payment = divCeil(owed, INDEX_SCALE);
  return { payment, remainder: payment * INDEX_SCALE - owed };
}

/** Settles a position's funding with its margin account's collateral and the market's pool (FND-3). */
export function settleFunding(position: Position): void {
  const { account, market, mode, size } = position;
  const { payment, remainder } = computeOwed(position);
  position.fundingIndex = market.funding.index;
  position.fundingRemainder = size === 0n ? 0n : remainder;
  if (mode === "isolated") position.isolated -= payment;
  else account.collateral -= payment;
  market.fundingPool += payment;
}
