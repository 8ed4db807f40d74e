/** Numbers that land exactly on an edge of a division or a sum, worked out instead of tried. */
import { NONE } from "../../../ground/collections/table.ts";
import { PPM } from "../../../ground/math/fixed.ts";
import type { FeeTier } from "../../../protocol/feeTiers.ts";
import type { AccountRow } from "../../../venue/engine/state/schema.ts";
import type { State } from "../../../venue/engine/state/state.ts";

/**
 * Lots near a number whose fee comes out whole, or is as little as can be above or below a whole number:
 *
 *     lots * perLot * rate = side * g (mod 1e6), g the greatest divisor that perLot * rate and 1e6 share
 *
 * @param perLot quote units of a lot
 * @param rate   ppm; below zero as above
 * @param near   the greatest such number up to this one is taken, the least where there is none
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

/** Greatest number that divides both. */
function findDivisor(a: number, b: number): number {
  return b === 0 ? a : findDivisor(b, a % b);
}

/** What times `value` leaves 1 when divided by `period`, to which it has no divisor in common. */
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

/** What an owner still has to trade to be exactly at the next tier of fees, quote units; 0 where there is none (ORD-7). */
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
 * Ticks near a number, within bounds, of which a whole number of lots is worth exactly a value; the number itself where a
 * look at so many finds none.
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
