import { abs, divCeil, divFloor, max } from "../arithmetic.ts";
import { tieredInitial, tieredMaintenance, VALUE_SCALE } from "../market/parameters.ts";
import type { Market } from "../state.ts";
import { PPM } from "../words.ts";

/** Value of signed lots at a reference price, rounded down for longs and shorts alike (NUM-2, POS-3). */
export function valueAt(market: Market, signedLots: bigint, price: bigint): bigint {
  return divFloor(signedLots * market.parameters.lotSize * price, VALUE_SCALE);
}

/** Value of signed lots at ticks: exact (NUM-1). */
export function valueAtTicks(market: Market, signedLots: bigint, ticks: bigint): bigint {
  return signedLots * ticks * market.parameters.tickLotValue;
}

/** ceil(|signed lots| * price) (MRG-1). */
export function notionalAt(market: Market, signedLots: bigint, price: bigint): bigint {
  return divCeil(abs(signedLots) * market.parameters.lotSize * price, VALUE_SCALE);
}

/** At the mark. */
export function notionalOf(market: Market, signedLots: bigint): bigint {
  return notionalAt(market, signedLots, market.mark);
}

/** Maintenance margin of a size at the mark; none for a flat position. */
export function maintenanceOf(market: Market, signedLots: bigint): bigint {
  if (signedLots === 0n) return 0n;
  return tieredMaintenance(market.parameters, notionalOf(market, signedLots));
}

/**
 * Initial margin of a size at the mark. It is the greatest of the tier's, that of the chosen leverage (0 for none), and
 * that of the rate required by open interest (MRG-1). A flat position needs none.
 */
export function initialOf(market: Market, signedLots: bigint, leverage: bigint): bigint {
  if (signedLots === 0n) return 0n;
  const notional = notionalOf(market, signedLots);
  const byTier = tieredInitial(market.parameters, notional);
  const byLeverage = leverage === 0n ? 0n : divCeil(notional, leverage);
  const byOpenInterest = divCeil(notional * market.openInterestRate, PPM);
  return max(byTier, max(byLeverage, byOpenInterest));
}
