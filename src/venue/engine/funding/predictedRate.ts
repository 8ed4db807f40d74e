import { allowsFunding } from "../../../protocol/lifecycle.ts";
import { FUNDING_METHOD } from "../../../protocol/words.ts";
import type { MarketRow } from "../state/schema.ts";
import type { State } from "../state/state.ts";
import { computePaidTime } from "./interval.ts";
import { computeEightHourRate, computeFundingShare } from "./rate.ts";
import { addSample, computeMeanPremium, computeMinute, countMinutes, getPremiumSum } from "./samples.ts";

/**
 * Rate of the present funding interval if later samples equal the average so far (FND-3), in ppb for the interval. It
 * includes the remainder of division, and excludes what earlier intervals left for later blocks. `dydx` counts the
 * minutes so far, including the running one; `continuous` predicts from the present average. A market with recorded
 * rates predicts the last one. 0 without samples and while the market pays no funding.
 */
export function getPredictedRate(state: State, market: MarketRow): number {
  const { markets, timeMs } = state;
  const rules = state.parameters[market]!;
  if (!allowsFunding(rules)) return 0;
  if (rules.fundingMethod === FUNDING_METHOD.reported) return markets.fundingRate[market];
  let sum = getPremiumSum(state, market);
  let samples: number = markets.premiumSamples[market];
  if (markets.minuteSamples[market] > 0) {
    sum = addSample(rules, sum, samples, computeMinute(markets.minuteSum[market], markets.minuteSamples[market]), 0);
    samples++;
  }
  const settled = markets.settledTime[market];
  if (samples === 0) return 0;
  const { fundingInterval, fundingMethod } = rules;
  const began = Math.floor(timeMs / fundingInterval) * fundingInterval;
  const minutes = countMinutes(Math.max(began, settled), timeMs + 1);
  const eight = computeEightHourRate(rules, computeMeanPremium(rules, sum, samples, minutes));
  const elapsed =
    fundingMethod === FUNDING_METHOD.continuous
      ? fundingInterval
      : computePaidTime(rules, settled, began + fundingInterval);
  return computeFundingShare(rules, eight, elapsed, markets.fundingCarry[market]).rate;
}
