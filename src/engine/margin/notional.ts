import {
  type Amount,
  bigDivCeil,
  bigDivFloor,
  type Lots,
  mulDivCeil,
  mulDivFloor,
  PPM,
  type PriceE8,
} from "../../math/fixed.ts";
import type { MarketParameters, Tier } from "../../protocol/parameters.ts";

/**
 * Signed value of a position at a reference price, rounded down for both signs (NUM-2: valuation down).
 *
 *     value = floor(size * price * lotNumerator / lotDenominator)      quote units
 *
 * @returns `NaN` beyond what is storable; callers then take the exact path (`markedValueWide`)
 */
export function computeMarkedValue(parameters: MarketParameters, size: Lots, price: PriceE8): Amount {
  return mulDivFloor(size, price * parameters.lotNumerator, parameters.lotDenominator) as Amount;
}

/** As `computeMarkedValue`, for values of any size. */
export function computeMarkedValueWide(parameters: MarketParameters, size: Lots, price: PriceE8): bigint {
  const product = BigInt(size) * BigInt(price) * BigInt(parameters.lotNumerator);
  return bigDivFloor(product, BigInt(parameters.lotDenominator));
}

/** Notional of a size at a reference price, rounded up (NUM-2: requirement up); `NaN` beyond what is storable. */
export function computeNotional(parameters: MarketParameters, size: Lots, price: PriceE8): Amount {
  const lots = size < 0 ? 0 - size : size;
  return mulDivCeil(lots, price * parameters.lotNumerator, parameters.lotDenominator) as Amount;
}

/** As `computeNotional`, for values of any size. */
export function computeNotionalWide(parameters: MarketParameters, size: Lots, price: PriceE8): bigint {
  const lots = BigInt(size < 0 ? 0 - size : size);
  return bigDivCeil(lots * BigInt(price) * BigInt(parameters.lotNumerator), BigInt(parameters.lotDenominator));
}

/** The tier that a notional falls in: the last whose bound it reaches (MRG-1). */
export function findTier(parameters: MarketParameters, notional: number | bigint): Tier {
  const { tiers } = parameters;
  let place = tiers.length - 1;
  while (place > 0 && notional < tiers[place]!.from) place--;
  return tiers[place]!;
}

/**
 * Maintenance requirement of a notional (MRG-1), rounded up.
 *
 *     maintenance = ceil(notional * rate_k) - deduction_k
 */
export function computeMaintenance(parameters: MarketParameters, notional: Amount): Amount {
  const tier = findTier(parameters, notional);
  return (mulDivCeil(notional, tier.maintenanceRate, PPM) - tier.maintenanceDeduction) as Amount;
}

export function computeMaintenanceWide(parameters: MarketParameters, notional: bigint): bigint {
  const tier = findTier(parameters, notional);
  return bigDivCeil(notional * BigInt(tier.maintenanceRate), BigInt(PPM)) - BigInt(tier.maintenanceDeduction);
}

/**
 * Initial requirement of a notional (MRG-1), rounded up.
 *
 *     initial = max(ceil(notional * initialRate_k) - deduction_k, ceil(notional / leverage))
 *
 * @param leverage what the owner chose; 0 for none
 */
export function computeInitial(parameters: MarketParameters, notional: Amount, leverage: number): Amount {
  const tier = findTier(parameters, notional);
  const tiered = mulDivCeil(notional, tier.initialRate, PPM) - tier.initialDeduction;
  if (leverage === 0) return tiered as Amount;
  const chosen = Math.ceil(notional / leverage);
  return (chosen > tiered ? chosen : tiered) as Amount;
}

export function computeInitialWide(parameters: MarketParameters, notional: bigint, leverage: number): bigint {
  const tier = findTier(parameters, notional);
  const tiered = bigDivCeil(notional * BigInt(tier.initialRate), BigInt(PPM)) - BigInt(tier.initialDeduction);
  if (leverage === 0) return tiered;
  const chosen = bigDivCeil(notional, BigInt(leverage));
  return chosen > tiered ? chosen : tiered;
}
