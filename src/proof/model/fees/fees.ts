import { divCeil, divFloor, min } from "../arithmetic.ts";
import { PPM } from "../words.ts";

/** A fee rounds up (ORD-7). */
export function feeOf(value: bigint, rate: bigint): bigint {
  return divCeil(value * rate, PPM);
}

/**
 * A maker's fee, rounded up; a rebate is rounded down, at most the taker's fee of the fill (ORD-7). Negative is
 * received.
 */
export function makerFeeOf(value: bigint, rate: bigint, takerFee: bigint): bigint {
  if (rate >= 0n) return feeOf(value, rate);
  return -min(divFloor(value * -rate, PPM), takerFee);
}
