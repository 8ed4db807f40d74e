import { mulDivCeil, PPM } from "../../../ground/math/fixed.ts";

/**
 * Initial rate of a market that scales with its open interest (MRG-1; dYdX v4, liquidity tiers):
 *
 *     rate = base + (1 - base) * clamp((openNotional - lower) / (upper - lower), 0, 1)
 *
 * Up to `lower` the base rate holds, at `upper` and above every unit of notional needs a unit of equity. Maintenance
 * does not scale: no account becomes liquidatable because others opened positions.
 *
 * @param base         initial rate of the first tier, ppm
 * @param openNotional open interest at the mark, quote units; `NaN` beyond what is storable
 * @param lower        notional from which the rate rises, quote units; below `upper`
 * @param upper        notional at which it is 1; 0 for a market whose rate does not scale
 * @returns ppm, rounded up (NUM-2: margin up); `base` where the market does not scale
 */
export function computeOpenInterestRate(base: number, openNotional: number, lower: number, upper: number): number {
  if (upper === 0) return base;
  if (!(openNotional < upper)) return PPM; // also where the notional is beyond what is storable
  if (openNotional <= lower) return base;
  return base + mulDivCeil(PPM - base, openNotional - lower, upper - lower);
}
