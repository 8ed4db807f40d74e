import { clamp, divCeil, divFloor, max, min } from "../arithmetic.ts";
import { PPM } from "../words.ts";

/**
 * The next price on the way to a target, for a price that may move by a ratio. Bounds are rounded inwards, but a step
 * of 1e-8 is always allowed, and no price gets stuck (PRC-2).
 *
 * @param ratio ppm
 */
export function computeClampedPrice(from: bigint, target: bigint, ratio: bigint): bigint {
  const low = min(divCeil(from * (PPM - ratio), PPM), from - 1n);
  const high = max(divFloor(from * (PPM + ratio), PPM), from + 1n);
  return clamp(target, max(low, 1n), high);
}

/** Keeps a price within a ratio of a centre; bounds are rounded inwards (PRC-2). */
export function computeBandedPrice(price: bigint, centre: bigint, ratio: bigint): bigint {
  return clamp(price, divCeil(centre * max(0n, PPM - ratio), PPM), divFloor(centre * (PPM + ratio), PPM));
}
