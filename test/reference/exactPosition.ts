/**
 * A position in exact rationals: size, cost as a fraction, realised PnL as a fraction. Pro-rata release without
 * rounding; the twin of src/venue/engine/matching/applyFill.
 */
export class Fraction {
  readonly over: bigint;
  readonly under: bigint;

  constructor(over: bigint, under = 1n) {
    this.over = under < 0n ? -over : over;
    this.under = under < 0n ? -under : under;
  }

  plus(other: Fraction): Fraction {
    return new Fraction(this.over * other.under + other.over * this.under, this.under * other.under).reduced();
  }

  times(other: Fraction): Fraction {
    return new Fraction(this.over * other.over, this.under * other.under).reduced();
  }

  minus(other: Fraction): Fraction {
    return this.plus(new Fraction(-other.over, other.under));
  }

  reduced(): Fraction {
    let [a, b] = [this.over < 0n ? -this.over : this.over, this.under];
    while (b !== 0n) [a, b] = [b, a % b];
    return a <= 1n ? this : new Fraction(this.over / a, this.under / a);
  }

  /** Sign of this less a whole number. */
  compare(whole: bigint): number {
    const difference = this.over - whole * this.under;
    return difference > 0n ? 1 : difference < 0n ? -1 : 0;
  }
}

export class ExactPosition {
  size = 0n;
  cost = new Fraction(0n);
  realized = new Fraction(0n);

  /** @param lots signed size bought; @param value signed quote units paid */
  fill(lots: bigint, value: bigint): void {
    const opposite = this.size !== 0n && this.size > 0n !== lots > 0n;
    if (!opposite) {
      this.size += lots;
      this.cost = this.cost.plus(new Fraction(value));
      return;
    }
    const magnitude = (x: bigint) => (x < 0n ? -x : x);
    const closing = magnitude(lots) < magnitude(this.size) ? magnitude(lots) : magnitude(this.size);
    const released = this.cost.times(new Fraction(closing, magnitude(this.size)));
    const part = new Fraction(value).times(new Fraction(closing, magnitude(lots)));
    this.realized = this.realized.minus(part).minus(released);
    this.cost = this.cost.minus(released).plus(new Fraction(value).minus(part));
    this.size += lots;
  }
}
