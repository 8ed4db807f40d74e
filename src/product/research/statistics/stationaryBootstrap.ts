import type { Random } from "../../../ground/math/random.ts";

/**
 * Draws places of a sample in blocks of random length, so that a resample keeps how neighbouring returns depend on each
 * other.
 *
 * Politis and Romano, "The Stationary Bootstrap", Journal of the American Statistical Association 89, 1994. Each place
 * follows the one before it, and with a probability of 1 / `meanBlock` a new block begins anywhere. The sample is a
 * circle.
 *
 * @param places    filled with places from 0 to `length` - 1
 * @param length    of the sample, at least 1
 * @param meanBlock mean length of a block, whole and at least 1; 1 draws each place by itself
 */
export function drawPlaces(places: Uint32Array, length: number, meanBlock: number, random: Random): void {
  let place = 0;
  for (let i = 0; i < places.length; i++) {
    const begins = i === 0 || random.chance(1, meanBlock);
    place = begins ? random.below(length) : (place + 1) % length;
    places[i] = place;
  }
}

/** Mean block length for a sample: its cube root, at least 1, rounded up. */
export function chooseMeanBlock(length: number): number {
  return Math.max(1, Math.ceil(Math.cbrt(length) - 1e-9));
}
