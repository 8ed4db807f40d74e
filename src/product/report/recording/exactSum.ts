import { LIMIT } from "../../../ground/math/fixed.ts";

/** An exact sum of storable numbers. It needs a big integer only where it leaves their range. */
export class ExactSum {
  #far = 0n;
  // It starts as `NaN`, which is stored as a double, so that its shape never changes.
  #near = Number.NaN;

  constructor() {
    this.#near = 0;
  }

  /** @param value storable */
  add(value: number): void {
    const sum = this.#near + value;
    if (sum <= LIMIT && sum >= -LIMIT) {
      this.#near = sum;
      return;
    }
    this.#far += BigInt(this.#near);
    this.#near = value;
  }

  clear(): void {
    this.#far = 0n;
    this.#near = 0;
  }

  get value(): bigint {
    return this.#far + BigInt(this.#near);
  }
}
