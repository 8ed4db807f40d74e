import { LIMIT, mulDivTrunc, PPB } from "../../../ground/math/fixed.ts";
import type { MarketParameters } from "../../../protocol/parameters.ts";
import { INDEX_SCALE } from "./owed.ts";

/**
 * Move of the cumulative funding index by one payment (FND-3): the amount that a long lot pays, in 1e-9 quote units,
 *
 *     delta = trunc(rate * index * lotNumerator * INDEX_SCALE / (lotDenominator * 1e9))
 *
 * @param rate  of the payment, ppb
 * @param index index price, 1e-8 USD
 */
export function computeIndexDelta(
  rules: Pick<MarketParameters, "lotNumerator" | "lotDenominator">,
  rate: number,
  index: number,
): bigint {
  return (
    (BigInt(rate) * BigInt(index) * BigInt(rules.lotNumerator) * BigInt(INDEX_SCALE)) /
    (BigInt(rules.lotDenominator) * BigInt(PPB))
  );
}

/** As `computeIndexDelta`; `NaN` beyond what is storable. The two scales are equal, so that both drop out. */
export function computeShortIndexDelta(
  rules: Pick<MarketParameters, "lotNumerator" | "lotDenominator">,
  rate: number,
  index: number,
): number {
  const scaled = rate * rules.lotNumerator;
  if (!(scaled <= LIMIT && scaled >= -LIMIT)) return Number.NaN;
  return mulDivTrunc(scaled, index, rules.lotDenominator);
}
