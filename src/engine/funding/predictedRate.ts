import { FUNDING_METHOD } from "../../protocol/words.ts";
import type { MarketRow } from "../state/schema.ts";
import type { State } from "../state/state.ts";
import { computeFundingRate } from "./rate.ts";

/**
 * What the market's present funding interval would pay if it ended now (FND-3), ppb, without what earlier ones left. A
 * market with recorded rates predicts the last one; one without samples predicts nothing. Continuous funding: what an
 * interval pays at the present average.
 */
export function getPredictedRate(state: State, market: MarketRow): number {
  const { markets } = state;
  const rules = state.parameters[market]!;
  if (rules.fundingMethod === FUNDING_METHOD.external) return markets.fundingRate[market];
  if (markets.premiumSamples[market] === 0) return 0;
  return computeFundingRate(rules, markets.premiumSum[market], markets.premiumSamples[market]);
}
