import {
  type Lots,
  mulDivCeil,
  mulDivFloor,
  PPM,
  type Ppm,
  type PriceE8,
  type Ticks,
} from "../../../ground/math/fixed.ts";
import type { MarketParameters } from "../../../protocol/parameters.ts";
import { SIDE } from "../../../protocol/words.ts";

/**
 * Order cost at entry (MRG-3): the loss that an order would realise at once against the mark, and the taker fee, both
 * rounded up.
 *
 *     buy:  max(0, value - floor(size * mark)) + ceil(value * takerFee)
 *     sell: max(0, ceil(size * mark) - value)  + ceil(value * takerFee)
 *
 * @param takerFee the account's rate at entry; default the market's
 * @returns quote units; `NaN` beyond what is storable
 */
export function computeOrderCost(
  rules: Pick<MarketParameters, "tickLotValue" | "lotNumerator" | "lotDenominator" | "takerFee">,
  side: number,
  lots: Lots,
  price: Ticks,
  mark: PriceE8,
  takerFee: Ppm = rules.takerFee,
): number {
  const value = price * lots * rules.tickLotValue;
  const factor = mark * rules.lotNumerator;
  const loss =
    side === SIDE.buy
      ? value - mulDivFloor(lots, factor, rules.lotDenominator)
      : mulDivCeil(lots, factor, rules.lotDenominator) - value;
  // A loss beyond what is storable is NaN, and so is the cost.
  return (loss <= 0 ? 0 : loss) + mulDivCeil(value, takerFee, PPM);
}

/** The charge that stays when an order shrinks from `before` to `after` lots: pro rata, rounded up. */
export function computeRemainingOrderCost(orderCost: number, before: Lots, after: Lots): number {
  return after === 0 || orderCost === 0 ? 0 : mulDivCeil(orderCost, after, before);
}
