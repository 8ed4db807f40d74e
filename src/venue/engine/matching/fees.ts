import { mulDivCeil, mulDivFloor, PPM } from "../../../ground/math/fixed.ts";

/**
 * Taker fee on the value of an order's fills together (ORD-7), rounded up. A fill pays the increase of this fee:
 * however an order is cut into fills, it pays exactly its fee at entry (MRG-4).
 */
export function computeTakerFee(value: number, rate: number): number {
  return mulDivCeil(value, rate, PPM);
}

/** Maker fee of a fill, rounded up; a rebate is rounded down and never exceeds the taker fee of the match (ORD-7). */
export function computeMakerFee(value: number, rate: number, takerFee: number): number {
  if (rate >= 0) return mulDivCeil(value, rate, PPM);
  const rebate = mulDivFloor(value, -rate, PPM);
  return 0 - (rebate < takerFee ? rebate : takerFee);
}
