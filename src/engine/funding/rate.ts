import { LIMIT, mulDivFloor, mulDivTrunc } from "../../math/fixed.ts";
import type { MarketParameters } from "../../protocol/parameters.ts";
import { FUNDING_METHOD } from "../../protocol/words.ts";
import { moveAverage } from "../prices/mark.ts";

const EIGHT_HOURS = 28_800_000;
const HOUR = 3_600_000;

/**
 * What a market's premium samples have become after one more (FND-1), ppb. `continuous` keeps an average with weight
 * dt / (tau + dt); `binance8h` a sum in which the n-th sample counts n times, held at what can be stored; the others a sum.
 *
 * @param sum     of the samples before
 * @param samples how many those are
 * @param dt      ms since the last sample
 */
export function addSample(rules: MarketParameters, sum: number, samples: number, premium: number, dt: number): number {
  if (rules.fundingMethod === FUNDING_METHOD.continuous) return moveAverage(sum, premium, dt, rules.fundingTau);
  const weight = rules.fundingMethod === FUNDING_METHOD.binance8h ? samples + 1 : 1;
  const next = sum + premium * weight;
  return next > LIMIT ? LIMIT : next < -LIMIT ? -LIMIT : next;
}

/** Whether a sample is due. dYdX and Binance sample on the grid of their clock, the others at a distance (FND-1). */
export function isSampleDue({ fundingMethod, fundingSample }: MarketParameters, sampled: number, now: number): boolean {
  const grid = fundingMethod === FUNDING_METHOD.dydx || fundingMethod === FUNDING_METHOD.binance8h;
  if (grid) return Math.floor(now / fundingSample) > Math.floor(sampled / fundingSample);
  return now - sampled >= fundingSample;
}

/** Mean premium of an interval, toward zero: of dYdX's samples those that are missing count 0. */
function computeMeanPremium(rules: MarketParameters, sum: number, samples: number): number {
  switch (rules.fundingMethod) {
    case FUNDING_METHOD.continuous:
      return sum;
    case FUNDING_METHOD.binance8h:
      return mulDivTrunc(sum, 2, samples * (samples + 1));
    case FUNDING_METHOD.dydx:
      return mulDivTrunc(sum, 1, Math.max(samples, Math.floor(rules.fundingInterval / rules.fundingSample)));
    default:
      return mulDivTrunc(sum, 1, samples);
  }
}

/**
 * Rate per 8 h from a market's premium samples (FND-2), ppb, divisions toward zero.
 *
 *     F8h = premium + clamp(interest - premium, -clamp, +clamp)       dydx: premium + interest
 *     |F8h| <= fundingBound * (initial rate - maintenance rate)       binance8h: fundingBound * maintenance rate
 *
 * Rates are those of the first tier.
 *
 * @param samples how many; at least one
 */
export function computeEightHourRate(rules: MarketParameters, sum: number, samples: number): number {
  const premium = computeMeanPremium(rules, sum, samples);
  const { initialRate, maintenanceRate } = rules.tiers[0]!;
  const binance = rules.fundingMethod === FUNDING_METHOD.binance8h;
  const bound = mulDivFloor(rules.fundingBound, binance ? maintenanceRate : initialRate - maintenanceRate, 1000);
  const interest = rules.fundingInterest;
  if (rules.fundingMethod === FUNDING_METHOD.dydx) return clamp(premium + interest, bound);
  return clamp(premium + clamp(interest - premium, rules.fundingClamp), bound);
}

/** A payment, and what division left of it. */
export interface FundingShare {
  /** ppb. */
  readonly rate: number;
  /** ppb per 8 h times ms, toward the next payment; its magnitude is below 8 h in ms. */
  readonly carry: number;
}

/**
 * What a rate per 8 h pays for a time (FND-2):
 *
 *     rate = trunc((F8h * elapsed + carry) / 8 h),  |rate| <= cap per hour * elapsed
 *
 * Toward zero; what the division leaves is carried, so that many short payments add up to one long one. A capped payment
 * leaves nothing.
 */
export function computeFundingShare(
  rules: MarketParameters,
  eight: number,
  elapsed: number,
  carry: number,
): FundingShare {
  const owed = BigInt(eight) * BigInt(elapsed) + BigInt(carry);
  const rate = Number(owed / BigInt(EIGHT_HOURS));
  const most = mulDivFloor(rules.fundingCap, elapsed, HOUR);
  if (rate > most || rate < -most) return { rate: clamp(rate, most), carry: 0 };
  return { rate, carry: Number(owed % BigInt(EIGHT_HOURS)) };
}

/** Rate that one funding interval pays, from its premium samples (FND-2), ppb; nothing carried. */
export function computeFundingRate(rules: MarketParameters, sum: number, samples: number): number {
  return computeFundingShare(rules, computeEightHourRate(rules, sum, samples), rules.fundingInterval, 0).rate;
}

function clamp(value: number, bound: number): number {
  return value > bound ? bound : value < -bound ? -bound : value;
}
