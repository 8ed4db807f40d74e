import type { Amount } from "../../../ground/math/fixed.ts";

/**
 * Sums over accounts, which may pass 2^53: each is two doubles, high * 2^52 + low with |low| < 2^52, exact to 2^104.
 * The place of a total in the array is fixed.
 */
export const TOTAL = { insurance: 0, fees: 1, badDebt: 2, inflows: 3, withdrawals: 4 } as const;
export type TotalPlace = (typeof TOTAL)[keyof typeof TOTAL];
export const TOTAL_NAMES = Object.keys(TOTAL) as (keyof typeof TOTAL)[];

const BASE = 2 ** 52;

export class Totals {
  readonly limbs: Float64Array;

  constructor(limbs = new Float64Array(TOTAL_NAMES.length * 2)) {
    this.limbs = limbs;
  }

  add(place: TotalPlace, amount: Amount): void {
    const { limbs } = this;
    // Split first: the low limb and a whole amount together may pass 2^53.
    const high = Math.trunc(amount / BASE);
    let low = limbs[place * 2 + 1]! + (amount - high * BASE);
    let carry = high;
    if (low >= BASE || low <= -BASE) {
      const step = low > 0 ? 1 : -1;
      carry += step;
      low -= step * BASE;
    }
    limbs[place * 2]! += carry;
    limbs[place * 2 + 1] = low + 0;
  }

  get(place: TotalPlace): bigint {
    return BigInt(this.limbs[place * 2]!) * BigInt(BASE) + BigInt(this.limbs[place * 2 + 1]!);
  }

  isNegative(place: TotalPlace): boolean {
    const high = this.limbs[place * 2]!;
    // A low limb is smaller than one step of the high limb.
    return high === 0 ? this.limbs[place * 2 + 1]! < 0 : high < 0;
  }

  set(place: TotalPlace, value: bigint): void {
    this.limbs[place * 2] = Number(value / BigInt(BASE));
    this.limbs[place * 2 + 1] = Number(value % BigInt(BASE));
  }

  /** The total as a number that a single payment can be compared with: capped at what is storable. */
  cap(place: TotalPlace): number {
    const value = this.get(place);
    return value > 9_000_000_000_000_000n ? 9e15 : Number(value);
  }

  /** @param spare a copy that is no longer used: it becomes this one */
  copy(spare?: Totals): Totals {
    if (spare === undefined) return new Totals(this.limbs.slice());
    spare.limbs.set(this.limbs);
    return spare;
  }
}
