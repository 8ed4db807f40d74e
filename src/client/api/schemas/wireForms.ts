import { formatDecimal } from "../../../ground/math/decimal.ts";
import { LIMIT } from "../../../ground/math/fixed.ts";

/*
 * Patterns of numbers that the wire writes as text (NUM-5). A pattern is the whole rule of the decoder: canonical
 * digits, the scale's digits after the point, and the largest value that can be stored.
 */

export const ADDRESS_PATTERN = "^0x[0-9a-f]{40}$";
export const BYTES32_PATTERN = "^0x[0-9a-f]{64}$";
/** Printable ASCII. */
export const TEXT_PATTERN = "^[\\x20-\\x7e]*$";

/** How a decimal field is written. */
export interface DecimalForm {
  /** Digits after the point that the scale keeps. */
  readonly decimals: number;
  /** The empty text means none, and `"0"` is refused. */
  readonly optional: boolean;
  readonly signed: boolean;
}

/** Canonical decimals of a scale, from 0 or their negative bound up to `LIMIT` smallest digits. */
export function decimalPattern({ decimals, optional, signed }: DecimalForm): string {
  const positive = positivePattern(decimals);
  const nonZero = signed ? `-?(?:${positive})` : positive;
  return optional ? `^(?:${nonZero})?$` : `^(?:0|${nonZero})$`;
}

/** Whole numbers written as text, from `least` (0 or 1) to `LIMIT`. */
export function wholePattern(least: 0 | 1): string {
  return least === 0 ? `^(?:0|${positivePattern(0)})$` : `^(?:${positivePattern(0)})$`;
}

/** Largest value of a scale, as decimal text. */
export function decimalMost(decimals: number): string {
  return formatDecimal(LIMIT, decimals);
}

/**
 * Alternatives for a number above 0. `LIMIT` is one digit and zeros, so the bound is the first digit and the length.
 */
function positivePattern(decimals: number): string {
  const most = decimalMost(decimals);
  const zeros = most.length - 1;
  const first = Number(most[0]) - 1;
  const below = `(?:[1-9][0-9]{0,${zeros - 1}}|[1-${first}][0-9]{${zeros}})`;
  if (decimals === 0) return `${below}|${most}`;
  const fraction = `\\.[0-9]{0,${decimals - 1}}[1-9]`;
  return `${below}(?:${fraction})?|0${fraction}|${most}`;
}
