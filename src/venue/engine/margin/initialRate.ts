import type { Ppm } from "../../../ground/math/fixed.ts";
import type { MarketParameters } from "../../../protocol/parameters.ts";
import type { MarketRow, Markets } from "../state/schema.ts";
import type { State } from "../state/state.ts";
import { computeNotional } from "../valuation/notional.ts";
import { computeOpenInterestRate } from "./openInterestRate.ts";

/**
 * Computes a market's least initial rate by its open interest (MRG-1) once a block, together with the mark. The rate is
 * fixed while users trade. An order is margined at the rate at which it was sent, and fills do not raise the initial
 * margin of the orders that make them. 0 if the tiers ask for as much. Maintenance never scales.
 */
export function refreshInitialRate(state: State, market: MarketRow): void {
  const { markets } = state;
  const rate = computeInitialRate(markets, state.parameters[market]!, market);
  if (rate === markets.initialRate[market]) return;
  markets.initialRate[market] = rate;
  state.events.initialRateChanged({ market, rate });
}

/** The least initial rate of a market at its present mark and open interest; 0 if the tiers ask for as much. */
export function computeInitialRate(markets: Markets, rules: MarketParameters, market: MarketRow): Ppm {
  const { openInterestLower: lower, openInterestUpper: upper } = rules;
  if (upper === 0) return 0 as Ppm;
  const base = rules.tiers[0]!.initialRate;
  const open = computeNotional(rules, markets.openInterest[market], markets.mark[market]);
  const scaled = computeOpenInterestRate(base, open, lower, upper);
  return (scaled > base ? scaled : 0) as Ppm;
}
