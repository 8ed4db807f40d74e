import { divFloor, mulDivTrunc } from "../../math/fixed.ts";
import type { MarketParameters } from "../../protocol/parameters.ts";

const EIGHT_HOURS = 28_800_000;
const HOUR = 3_600_000;

/**
 * Rate that one funding interval pays, from the mean premium (FND-2).
 *
 *     F8h = premium + clamp(interest - premium, -clamp, +clamp)
 *     |F8h| <= 6 * (initial rate - maintenance rate of the first tier)
 *     rate = F8h * interval / 8 h,  |rate| <= cap per hour * interval
 *
 * All in ppb; divisions round toward zero.
 *
 * @param sum     sum of premium samples, ppb
 * @param samples how many; at least one
 */
export function computeFundingRate(rules: MarketParameters, sum: number, samples: number): number {
  const premium = mulDivTrunc(sum, 1, samples);
  const pull = clamp(rules.fundingInterest - premium, rules.fundingClamp);
  const tier = rules.tiers[0]!;
  const bound = 6 * (tier.initialRate - tier.maintenanceRate) * 1000;
  const eight = clamp(premium + pull, bound);
  const rate = mulDivTrunc(eight, rules.fundingInterval, EIGHT_HOURS);
  return clamp(rate, divFloor(rules.fundingCap * rules.fundingInterval, HOUR));
}

function clamp(value: number, bound: number): number {
  return value > bound ? bound : value < -bound ? -bound : value;
}
