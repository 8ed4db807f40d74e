import { mulDivFloor } from "../../../ground/math/fixed.ts";
import type { MarketParameters } from "../../../protocol/parameters.ts";
import { FUNDING_METHOD } from "../../../protocol/words.ts";

const EIGHT_HOURS = 28_800_000;
const HOUR = 3_600_000;

type BoundTerms = Pick<MarketParameters, "fundingMethod" | "fundingBound" | "fundingCapMargin" | "tiers">;
type RateTerms = BoundTerms & Pick<MarketParameters, "fundingInterest" | "fundingClamp">;

/**
 * Rate per 8 h from the premium of an interval (FND-2), ppb.
 *
 *     F8h = premium + clamp(interest - premium, -fundingClamp, +fundingClamp)     dydx: premium + interest
 *     |F8h| <= fundingBound * (initial rate - maintenance rate)                   binance8h: fundingCapMargin * maintenance rate
 *
 * Rates are those of the first tier; the bounds round down.
 */
export function computeEightHourRate(rules: RateTerms, premium: number): number {
  const { fundingMethod, fundingInterest } = rules;
  const bound = computeRateBound(rules);
  if (fundingMethod === FUNDING_METHOD.dydx) return clamp(premium + fundingInterest, bound);
  return clamp(premium + clamp(fundingInterest - premium, rules.fundingClamp), bound);
}

/** Greatest rate per 8 h, ppb. */
export function computeRateBound({ fundingMethod, fundingBound, fundingCapMargin, tiers }: BoundTerms): number {
  const { initialRate, maintenanceRate } = tiers[0]!;
  if (fundingMethod === FUNDING_METHOD.binance8h) return mulDivFloor(fundingCapMargin, maintenanceRate, 1000);
  return mulDivFloor(fundingBound, initialRate - maintenanceRate, 1000);
}

/** A payment, and the remainder of its division. */
export interface FundingShare {
  /** ppb. */
  readonly rate: number;
  /** ppb per 8 h times ms, toward the next payment; its magnitude is below 8 h in ms. */
  readonly carry: number;
}

/**
 * Payment rate of a rate per 8 h for a time (FND-2):
 *
 *     rate = trunc((F8h * elapsed + carry) / 8 h),  |rate| <= fundingCap per hour * elapsed
 *
 * Toward zero, the cap down. The remainder of the division is carried, so that many short payments add up to one long
 * one. A capped payment leaves nothing.
 */
export function computeFundingShare(
  rules: Pick<MarketParameters, "fundingCap">,
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

function clamp(value: number, bound: number): number {
  return value > bound ? bound : value < -bound ? 0 - bound : value;
}
