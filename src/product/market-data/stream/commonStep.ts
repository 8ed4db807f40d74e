import { gcd, LIMIT } from "../../../ground/math/fixed.ts";

/** A volume beyond the limit counts by its whole units of base. */
const WHOLE = 1e8;

/** Greatest common divisor of a step and the values begin .. end - 1 of a column; zeros do not count. */
export function commonStep(step: number, column: Float64Array, begin: number, end: number): number {
  if (step === 1) return 1;
  for (let row = begin; row < end; row++) {
    const value = column[row]! > LIMIT ? WHOLE : column[row]!;
    if (value === 0) continue;
    // Dividing is much cheaper than a remainder, and exact whenever the value is a multiple.
    const quotient = value / step;
    if (step === 0 || Math.floor(quotient) !== quotient) step = gcd(value, step);
  }
  return step;
}
