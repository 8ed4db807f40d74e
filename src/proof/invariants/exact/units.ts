/** What the engine counts in and how far, said anew: what looks at it shares nothing with its own arithmetic (NUM). */

/** 1e-8 USD times 1e-8 of base, in quote units of 1e-6 USD. */
export const VALUE_SCALE = 10n ** 10n;

/** Greatest magnitude that is stored. */
const MOST = 9_000_000_000_000_000n;

/** As it is told: where it cannot be stored, the greatest number of its sign that can. */
export function asStorable(value: bigint): number {
  return Number(value > MOST ? MOST : value < -MOST ? -MOST : value);
}
