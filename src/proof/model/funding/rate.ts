import { clamp, divFloor } from "../arithmetic.ts";
import type { ModelParameters } from "../market/parameters.ts";

/** Rates are for eight hours. */
const PERIOD_MS = 28_800_000n;
const HOUR_MS = 3_600_000n;

/** The rate for 8 h of a premium, within its bound, ppb (FND-2). */
export function computePeriodRate(parameters: ModelParameters, premium: bigint): bigint {
  const { fundingMethod, fundingInterest, fundingClamp, fundingBound, fundingCapMargin, tiers } = parameters;
  const rate =
    fundingMethod === "dydx"
      ? premium + fundingInterest
      : premium + clamp(fundingInterest - premium, -fundingClamp, fundingClamp);
  const { initialRate, maintenanceRate } = tiers[0]!;
  // ppm * ppm in ppb
  const bound =
    fundingMethod === "binance8h"
      ? divFloor(fundingCapMargin * maintenanceRate, 1000n)
      : divFloor(fundingBound * (initialRate - maintenanceRate), 1000n);
  return clamp(rate, -bound, bound);
}

/**
 * The payment of a rate for 8 h over some time, ppb. The remainder of the division is carried, unless the cap cut it
 * (FND-2).
 *
 * @param carry remainder of earlier divisions, in 1 / 28,800,000 of a ppb
 */
export function computeIntervalRate(
  parameters: ModelParameters,
  periodRate: bigint,
  timeMs: bigint,
  carry: bigint,
): { readonly rate: bigint; readonly carry: bigint } {
  const whole = periodRate * timeMs + carry;
  const rate = whole / PERIOD_MS;
  const cap = divFloor(parameters.fundingCap * timeMs, HOUR_MS);
  if (rate > cap) return { rate: cap, carry: 0n };
  if (rate < -cap) return { rate: -cap, carry: 0n };
  return { rate, carry: whole - rate * PERIOD_MS };
}
