import type { MarketRow } from "../state/schema.ts";
import type { State } from "../state/state.ts";
import { computeNotional } from "../valuation/notional.ts";
import { computeOpenInterestRate } from "./openInterestRate.ts";

/**
 * Computes a market's least initial rate by its open interest (MRG-1) once a block, together with the mark. The rate is
 * fixed while users trade: an order is margined at the rate that it was sent under, and fills do not raise the initial
 * margin of the orders that make them. 0 if the tiers ask for as much. Maintenance never scales.
 */
export function refreshInitialRate(state: State, market: MarketRow): void {
  const { markets } = state;
  const rules = state.parameters[market]!;
  const { openInterestLower: lower, openInterestUpper: upper } = rules;
  if (upper === 0 && markets.initialRate[market] === 0) return;
  const base = rules.tiers[0]!.initialRate;
  const open = computeNotional(rules, markets.openInterest[market], markets.mark[market]);
  const scaled = computeOpenInterestRate(base, open, lower, upper);
  const rate = (scaled > base ? scaled : 0) as typeof base;
  if (rate === markets.initialRate[market]) return;
  markets.initialRate[market] = rate;
  state.events.initialRateChanged({ market, rate });
}
