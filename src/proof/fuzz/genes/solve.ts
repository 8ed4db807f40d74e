/** Numbers exactly on an edge of a division or a sum, solved instead of searched. */
import { NONE } from "../../../ground/collections/table.ts";
import { PPM } from "../../../ground/math/fixed.ts";
import type { FeeTier } from "../../../protocol/feeTiers.ts";
import type { AccountRow } from "../../../venue/engine/state/schema.ts";
import type { State } from "../../../venue/engine/state/state.ts";

/**
 * Lots near a number whose fee is a whole number, or as close above or below one as possible:
 *
 *     lots * perLot * rate = side * g (mod 1e6), g the greatest divisor that perLot * rate and 1e6 share
 *
 * @param perLot quote units per lot
 * @param rate   ppm; may be negative
 * @param near   the solution is the greatest up to this number, or the least if there is none
 * @param side   -1, 0 or 1
 */
export function solveFeeEdge(perLot: number, rate: number, near: number, side: number): number {
  const step = Number((BigInt(perLot) * BigInt(Math.abs(rate))) % BigInt(PPM));
  const shared = findDivisor(step, PPM);
  const period = PPM / shared;
  if (period === 1) return near;
  const rest = (((side * invert(step / shared, period)) % period) + period) % period;
  const lots = near - ((((near - rest) % period) + period) % period);
  return lots > 0 ? lots : lots + period;
}

/** Greatest common divisor. */
function findDivisor(a: number, b: number): number {
  return b === 0 ? a : findDivisor(b, a % b);
}

/** Modular inverse of `value`, which must be coprime to `period`. */
function invert(value: number, period: number): number {
  let [now, next] = [period, value % period];
  let [x, y] = [0, 1];
  while (next !== 0) {
    const times = Math.floor(now / next);
    [now, next] = [next, now - times * next];
    [x, y] = [y, x - times * y];
  }
  return x;
}

/** Volume that an owner lacks to be exactly at the next fee tier, quote units; 0 if there is none (ORD-7). */
export function getMissingVolume(state: State, account: AccountRow, tiers: readonly FeeTier[]): number {
  const { owners, volumes, accounts } = state;
  let volume = 0;
  for (let at = owners.volume[accounts.owner[account]!]!; at !== NONE; at = volumes.older[at]!) {
    volume += volumes.volume[at]!;
  }
  const next = tiers.find(({ from }) => from > volume);
  return next === undefined ? 0 : next.from - volume;
}

/**
 * A price in ticks, near a number and within bounds, at which a whole number of lots is worth exactly a value. The
 * number itself if a bounded search finds none.
 */
export function solveTicks(value: number, tickLotValue: number, near: number, low: number, high: number): number {
  if (value % tickLotValue !== 0) return near;
  const product = value / tickLotValue;
  for (let away = 0; away < TRIES; away++) {
    if (near + away <= high && product % (near + away) === 0) return near + away;
    if (near - away >= Math.max(1, low) && product % (near - away) === 0) return near - away;
  }
  return near;
}

const TRIES = 1_000;
