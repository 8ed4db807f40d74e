import type { PriceE8 } from "../../../ground/math/fixed.ts";
import type { MarketRow, Markets } from "../state/schema.ts";
import type { State } from "../state/state.ts";
import type { LotTerms } from "../valuation/notional.ts";
import { computeBandHigh, computeBandLow } from "./priceBand.ts";
import { computeValidity } from "./validity.ts";

/**
 * Computes the values that follow from a market's prices, parameters and the time. They are read for every order: the
 * validity of the price, the value of a lot at the mark, and the price band
 *
 *     [min(oracle, index) * (1 - band), max(oracle, index) * (1 + band)]      bounds rounded inwards (ORD-5)
 *
 * Derived: called when prices moved and when a state is read back.
 */
export function refreshMarket(state: State, market: MarketRow): void {
  const { markets } = state;
  markets.validity[market] = computeValidity(state, market);
  const rules = state.parameters[market]!;
  refreshLotValue(markets, rules, market);
  const index: number = markets.index[market];
  const oracle: number = markets.oracle[market] === 0 ? index : markets.oracle[market];
  markets.bandLow[market] = computeBandLow(oracle, index, rules.priceBand) as PriceE8;
  markets.bandHigh[market] = computeBandHigh(oracle, index, rules.priceBand, rules.tickSize) as PriceE8;
}

/** Computes the value of a lot at the mark. */
export function refreshLotValue(markets: Markets, rules: LotTerms, market: MarketRow): void {
  const scaled = markets.mark[market] * rules.lotNumerator;
  const whole = Math.floor(scaled / rules.lotDenominator);
  markets.lotWhole[market] = whole;
  markets.lotRest[market] = scaled - whole * rules.lotDenominator;
}
