import { bigDivFloor, LIMIT, mulDivCeil, mulDivFloor, PPM } from "../../../ground/math/fixed.ts";

/** Lowest order price that the band allows (ORD-5): min(oracle, index) * (1 - band), rounded up, so inwards. */
export function computeBandLow(oracle: number, index: number, band: number): number {
  return band >= PPM ? 0 : mulDivCeil(Math.min(oracle, index), PPM - band, PPM);
}

/**
 * Highest order price that the band allows (ORD-5): max(oracle, index) * (1 + band), rounded down, so inwards. A bound
 * beyond the storable range is the last whole tick within it. Ticks that far out are distinct doubles, other numbers
 * are not.
 */
export function computeBandHigh(oracle: number, index: number, band: number, tickSize: number): number {
  const most = Math.max(oracle, index);
  const high = mulDivFloor(most, PPM + band, PPM);
  if (!Number.isNaN(high)) return high;
  const divisor = PPM * tickSize;
  const ticks = divisor <= LIMIT ? mulDivFloor(most, PPM + band, divisor) : Number.NaN;
  if (!Number.isNaN(ticks)) return ticks * tickSize;
  return Number(bigDivFloor(BigInt(most) * BigInt(PPM + band), BigInt(PPM) * BigInt(tickSize))) * tickSize;
}
