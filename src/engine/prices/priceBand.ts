import { mulDivCeil, mulDivFloor, PPM } from "../../math/fixed.ts";

/** Above any price: a bound that bounds nothing. */
const UNBOUNDED = Number.MAX_SAFE_INTEGER;

/** Lowest order price that the band allows (ORD-5): min(oracle, index) * (1 - band), rounded up, so inwards. */
export function computeBandLow(oracle: number, index: number, band: number): number {
  return band >= PPM ? 0 : mulDivCeil(Math.min(oracle, index), PPM - band, PPM);
}

/** Highest order price that the band allows (ORD-5): max(oracle, index) * (1 + band), rounded down, so inwards. */
export function computeBandHigh(oracle: number, index: number, band: number): number {
  const high = mulDivFloor(Math.max(oracle, index), PPM + band, PPM);
  return Number.isNaN(high) ? UNBOUNDED : high;
}
