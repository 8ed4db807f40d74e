/**
 * Values of series, exact in two doubles: the whole part, and the fraction in 1e-15, both with the sign of the value.
 * So 16 digits before the point and 15 after it fit, and no value is rounded.
 */
import { LIMIT } from "../../../ground/math/fixed.ts";

/** Digits after the point that a fraction holds. */
export const SERIES_DECIMALS = 15;
const UNIT = 10n ** BigInt(SERIES_DECIMALS);
const LIMIT_BIG = BigInt(LIMIT);

/** A value of a series. Neither part is -0. */
export interface ExactValue {
  readonly whole: number;
  /** In 1e-15, below 1e15; of the sign of the value. */
  readonly fraction: number;
}

/**
 * A decimal as its two parts; zeros beyond the 15th place are harmless.
 *
 * @param digits   of the number without its point, as a whole number with its sign
 * @param decimals how many of them are after the point; negative for zeros before it
 * @returns the parts, and whether digits were cut from them, toward zero; `range` for a value beyond 9e15
 */
export function splitExact(digits: bigint, decimals: number): (ExactValue & { readonly isCut: boolean }) | "range" {
  const shift = SERIES_DECIMALS - decimals;
  const scale = 10n ** BigInt(Math.abs(shift));
  const units = shift >= 0 ? digits * scale : digits / scale;
  const whole = units / UNIT;
  if (whole > LIMIT_BIG || whole < -LIMIT_BIG) return "range";
  const isCut = shift < 0 && units * scale !== digits;
  return { whole: Number(whole), fraction: Number(units % UNIT), isCut };
}

/** The value in 1e-15. */
export function unitsOf({ whole, fraction }: ExactValue): bigint {
  return BigInt(whole) * UNIT + BigInt(fraction);
}

/** Canonical decimal text: no exponent, no zeros at its end, no -0. */
export function formatExact(value: ExactValue): string {
  const units = unitsOf(value);
  const digits = (units < 0n ? -units : units).toString().padStart(SERIES_DECIMALS + 1, "0");
  const places = digits.slice(-SERIES_DECIMALS).replace(/0+$/, "");
  const text = digits.slice(0, -SERIES_DECIMALS);
  return `${units < 0n ? "-" : ""}${text}${places === "" ? "" : `.${places}`}`;
}

/** The nearest double. */
export function toNearest(value: ExactValue): number {
  return value.fraction === 0 ? value.whole : Number(formatExact(value));
}
