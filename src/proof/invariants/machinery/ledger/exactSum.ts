const BASE = 2 ** 52;

/** A sum of storable numbers of any length: high * 2^52 + low with |low| < 2^52. Allocates nothing. */
export class ExactSum {
  high = 0;
  low = 0;

  add(amount: number): void {
    const high = Math.trunc(amount / BASE);
    let low = this.low + (amount - high * BASE);
    this.high += high;
    if (low >= BASE) {
      low -= BASE;
      this.high++;
    } else if (low <= -BASE) {
      low += BASE;
      this.high--;
    }
    this.low = low;
  }

  /** Adds a number of two limbs in base 2^52. */
  addLimbs(high: number, low: number): void {
    this.high += high;
    this.add(low);
  }

  clear(): void {
    this.high = 0;
    this.low = 0;
  }

  isZero(): boolean {
    return this.high * BASE + this.low === 0;
  }

  sign(): number {
    return Math.sign(this.high * BASE + this.low);
  }

  value(): bigint {
    return BigInt(this.high) * BigInt(BASE) + BigInt(this.low);
  }
}

/** Whether two numbers of two limbs are the same. */
export function equalLimbs(high: number, low: number, otherHigh: number, otherLow: number): boolean {
  return (high - otherHigh) * BASE + (low - otherLow) === 0;
}
