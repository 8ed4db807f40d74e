/** Units and limits of the engine, written a second time: checks share nothing with the engine's arithmetic (NUM). */

/** 1e-8 USD times 1e-8 of base, in quote units of 1e-6 USD. */
export const VALUE_SCALE = 10n ** 10n;

/** Greatest magnitude that is stored. */
const MOST = 9_000_000_000_000_000n;

/** The value as an event reports it: clamped to the greatest storable number of its sign. */
export function asStorable(value: bigint): number {
  return Number(value > MOST ? MOST : value < -MOST ? -MOST : value);
}
