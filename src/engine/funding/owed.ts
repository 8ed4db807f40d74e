import { differenceOfProducts, LIMIT, type Lots, mulDivFloor } from "../../math/fixed.ts";

/** Scale of the cumulative funding index and of remainders: 1e-9 quote units. */
export const INDEX_SCALE = 1_000_000_000;

/**
 * What a position owes for the move of the cumulative funding index since it was last settled (FND-3).
 *
 *     owed   = size * indexDelta - remainder           longs pay when positive
 *     charge = ceil(owed / INDEX_SCALE)
 *
 * @param size      lots; positive is long
 * @param delta     quote units per lot, in 1e-9
 * @param remainder what earlier settlements charged too much, 1e-9 quote units, below INDEX_SCALE
 * @returns quote units; negative is received
 *
 * Rounding: up, for payer and receiver alike; the surplus is carried (`computeFundingRemainder`), so that settling every
 * block and settling once charge the same. The market's funding pool takes the other side.
 */
export function computeFundingCharge(size: Lots, delta: bigint, remainder: number): number {
  const step = Number(delta);
  const product = size * step;
  // Up to 2^53 the product is exact, and so is the difference: remainders are below 1e9.
  if (product < 9e15 && product > -9e15) return 0 - Math.floor((remainder - product) / INDEX_SCALE);
  const whole = step <= LIMIT && step >= -LIMIT ? mulDivFloor(size, step, INDEX_SCALE) : Number.NaN;
  if (whole <= LIMIT) {
    const rest = differenceOfProducts(size, step, whole, INDEX_SCALE);
    return rest > remainder ? whole + 1 : whole;
  }
  return Number(computeFundingChargeWide(size, delta, remainder));
}

export function computeFundingChargeWide(size: Lots, delta: bigint, remainder: number): bigint {
  const owed = BigInt(size) * delta - BigInt(remainder);
  const scale = BigInt(INDEX_SCALE);
  const quotient = owed / scale;
  return owed > 0n && quotient * scale !== owed ? quotient + 1n : quotient;
}

/** What `charge` is more than what was owed, in 1e-9 quote units: at least 0, below INDEX_SCALE. */
export function computeFundingRemainder(size: Lots, delta: bigint, remainder: number, charge: number): number {
  const step = Number(delta);
  if (step <= LIMIT && step >= -LIMIT) return differenceOfProducts(charge, INDEX_SCALE, size, step) + remainder;
  return Number(BigInt(charge) * BigInt(INDEX_SCALE) - BigInt(size) * delta + BigInt(remainder));
}
