import { divCeil } from "../arithmetic.ts";
import type { Position } from "../state.ts";
import { INDEX_SCALE } from "../words.ts";

/** A position's funding since its last settlement: the payment rounds up, the remainder is carried (FND-3). */
export function computeOwed({ market, signedLots, fundingIndex, fundingRemainder }: Position): {
  payment: bigint;
  remainder: bigint;
} {
  const owed = signedLots * (market.funding.index - fundingIndex) - fundingRemainder;
  const payment = divCeil(owed, INDEX_SCALE);
  return { payment, remainder: payment * INDEX_SCALE - owed };
}

/** Settles a position's funding between its margin account and the market's pool (FND-3). */
export function settleFunding(position: Position): void {
  const { account, market, mode, signedLots } = position;
  const { payment, remainder } = computeOwed(position);
  position.fundingIndex = market.funding.index;
  position.fundingRemainder = signedLots === 0n ? 0n : remainder;
  if (mode === "isolated") position.isolated -= payment;
  else account.collateral -= payment;
  market.fundingPool += payment;
}
