import {
  type Amount,
  bigDivCeil,
  bigDivFloor,
  LIMIT,
  type Lots,
  mulDivCeil,
  mulDivFloor,
  PPM,
  type PriceE8,
} from "../../../ground/math/fixed.ts";
import type { Tier } from "../../../protocol/marginTiers.ts";
import type { MarketParameters } from "../../../protocol/parameters.ts";
import type { MarketRow, Markets } from "../state/schema.ts";

/** The value of a lot at a reference price. */
export type LotTerms = Pick<MarketParameters, "lotNumerator" | "lotDenominator">;
/** Margin by tier. */
export type TierTerms = Pick<MarketParameters, "tiers">;

/**
 * Signed value of a position at a reference price, rounded down for both signs (NUM-2: valuation down).
 *
 *     value = floor(size * price * lotNumerator / lotDenominator)      quote units
 *
 * @returns `NaN` beyond what is storable; callers then take the exact path (`markedValueWide`)
 */
export function computeMarkedValue(parameters: LotTerms, signedLots: Lots, price: PriceE8): Amount {
  if (signedLots < 0) return (0 - computeNotional(parameters, signedLots, price)) as Amount;
  // The value of one lot in whole quote units and a rest keeps the products short.
  const scaled = price * parameters.lotNumerator;
  const { lotDenominator } = parameters;
  const whole = Math.floor(scaled / lotDenominator);
  const part = signedLots * (scaled - whole * lotDenominator);
  const value = signedLots * whole + Math.floor(part / lotDenominator);
  if (part <= SHORT && value <= LIMIT) return value as Amount;
  return mulDivFloor(signedLots, scaled, lotDenominator) as Amount;
}

/** Products up to here are exact, and so is their sum with a short rest. */
const SHORT = 2 ** 52;

/** As `computeMarkedValue`, for values of any size. */
export function computeMarkedValueBig(parameters: LotTerms, signedLots: Lots, price: PriceE8): bigint {
  const product = BigInt(signedLots) * BigInt(price) * BigInt(parameters.lotNumerator);
  return bigDivFloor(product, BigInt(parameters.lotDenominator));
}

/** Notional of a size at a reference price, rounded up (NUM-2: margin up); `NaN` beyond what is storable. */
export function computeNotional(parameters: LotTerms, signedLots: Lots, price: PriceE8): Amount {
  const lots = signedLots < 0 ? 0 - signedLots : signedLots;
  const scaled = price * parameters.lotNumerator;
  const { lotDenominator } = parameters;
  const whole = Math.floor(scaled / lotDenominator);
  const part = lots * (scaled - whole * lotDenominator);
  const notional = lots * whole + Math.ceil(part / lotDenominator);
  if (part <= SHORT && notional <= LIMIT) return notional as Amount;
  return mulDivCeil(lots, scaled, lotDenominator) as Amount;
}

/**
 * Notional of a number of lots at the present mark, rounded up: `computeNotional` with the value of a lot worked out
 * when the mark moved (`refreshMarket`).
 *
 * @param lots at least 0
 */
export function getNotionalAtMark(markets: Markets, rules: MarketParameters, market: MarketRow, lots: number): Amount {
  const part = lots * markets.lotRest[market];
  const notional = lots * markets.lotWhole[market] + (part === 0 ? 0 : Math.ceil(part / rules.lotDenominator));
  if (part <= SHORT && notional <= LIMIT) return notional as Amount;
  return computeNotional(rules, lots as Lots, markets.mark[market]);
}

/** As `computeNotional`, for values of any size. */
export function computeNotionalBig(parameters: LotTerms, signedLots: Lots, price: PriceE8): bigint {
  const lots = BigInt(signedLots < 0 ? 0 - signedLots : signedLots);
  return bigDivCeil(lots * BigInt(price) * BigInt(parameters.lotNumerator), BigInt(parameters.lotDenominator));
}

/**
 * The tier of a notional: the last whose bound it reaches. In a `stepped` market it must be above the bound (MRG-1).
 */
export function findTier(parameters: TierTerms, notional: number | bigint): Tier {
  const { tiers } = parameters;
  if (tiers.length === 1 || notional < tiers[1]!.least) return tiers[0]!;
  let place = tiers.length - 1;
  while (place > 0 && notional < tiers[place]!.least) place--;
  return tiers[place]!;
}

/**
 * Maintenance margin of a notional (MRG-1), rounded up.
 *
 *     maintenance = ceil(notional * rate_k) - deduction_k
 */
export function computeMaintenance(parameters: TierTerms, notional: Amount): Amount {
  const tier = findTier(parameters, notional);
  const { maintenanceOver, maintenanceUnder } = tier;
  return (mulDivCeil(notional, maintenanceOver, maintenanceUnder) - tier.maintenanceDeduction) as Amount;
}

export function computeMaintenanceBig(parameters: TierTerms, notional: bigint): bigint {
  const tier = findTier(parameters, notional);
  return bigDivCeil(notional * BigInt(tier.maintenanceRate), BigInt(PPM)) - BigInt(tier.maintenanceDeduction);
}

/**
 * Initial margin of a notional (MRG-1), rounded up.
 *
 *     initial = max(ceil(notional * initialRate_k) - deduction_k, ceil(notional / leverage), ceil(notional * least))
 *
 * In a `stepped` market deduction_k is 0.
 *
 * @param leverage what the owner chose; 0 for none
 * @param least    least rate by open interest, ppm; 0 for none (`refreshInitialRate`)
 */
export function computeInitial(parameters: TierTerms, notional: Amount, leverage: number, least = 0): Amount {
  const tier = findTier(parameters, notional);
  let tiered = mulDivCeil(notional, tier.initialOver, tier.initialUnder) - tier.initialDeduction;
  if (least !== 0) {
    const scaled = mulDivCeil(notional, least, PPM);
    if (scaled > tiered) tiered = scaled;
  }
  if (leverage === 0) return tiered as Amount;
  const chosen = Math.ceil(notional / leverage);
  return (chosen > tiered ? chosen : tiered) as Amount;
}

export function computeInitialBig(parameters: TierTerms, notional: bigint, leverage: number, least = 0): bigint {
  const tier = findTier(parameters, notional);
  const byTier = bigDivCeil(notional * BigInt(tier.initialRate), BigInt(PPM)) - BigInt(tier.initialDeduction);
  const scaled = bigDivCeil(notional * BigInt(least), BigInt(PPM));
  const tiered = scaled > byTier ? scaled : byTier;
  if (leverage === 0) return tiered;
  const chosen = bigDivCeil(notional, BigInt(leverage));
  return chosen > tiered ? chosen : tiered;
}
