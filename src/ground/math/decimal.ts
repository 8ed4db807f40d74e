/**
 * Canonical decimal text: `-?(0|[1-9][0-9]*)(\.[0-9]*[1-9])?`, no `-0`, no exponent, no sign but minus (NUM-5).
 * Reading is strict: a digit that the scale cannot hold is an error, never a rounding.
 */
import { LIMIT } from "./fixed.ts";

export type DecimalFault = "malformed" | "precision" | "range";

/** Text that is not a canonical decimal (`malformed`), has too many digits (`precision`), or is too large (`range`). */
export class DecimalError extends Error {
  override readonly name = "DecimalError";
  readonly fault: DecimalFault;

  constructor(fault: DecimalFault, text: string, decimals: number) {
    super(explain(fault, text, decimals));
    this.fault = fault;
  }
}

function explain(fault: DecimalFault, text: string, decimals: number): string {
  const shown = JSON.stringify(text.length > 48 ? `${text.slice(0, 45)}...` : text);
  switch (fault) {
    case "malformed":
      return `${shown} is not a canonical decimal such as "0.5", "-12" or "60000"`;
    case "precision":
      return `${shown} has more than ${decimals} digits after the point`;
    case "range":
      return `${shown} is beyond the largest value that can be stored, ${formatDecimal(LIMIT, decimals)}`;
  }
}

const MINUS = 45;
const POINT = 46;
const ZERO = 48;
const NINE = 57;

/**
 * Reads canonical decimal text as a whole number of 10^-decimals.
 *
 * @throws {DecimalError} if the text is not canonical, has more than `decimals` digits after the point, or is beyond
 * `LIMIT` in that unit
 */
export function parseDecimal(text: string, decimals: number): number {
  const fault = scanDecimal(text, decimals);
  if (typeof fault === "string") throw new DecimalError(fault, text, decimals);
  return fault;
}

/** As `parseDecimal`, with the fault as a value in place of an exception. */
export function scanDecimal(text: string, decimals: number): number | DecimalFault {
  const end = text.length;
  const negative = text.charCodeAt(0) === MINUS;
  const start = negative ? 1 : 0;
  let at = start;
  let value = 0;
  let over = false;
  while (at < end) {
    const digit = text.charCodeAt(at);
    if (digit < ZERO || digit > NINE) break;
    value = value * 10 + (digit - ZERO);
    if (value > LIMIT) over = true;
    at++;
  }
  const whole = at - start;
  if (whole === 0 || (whole > 1 && text.charCodeAt(start) === ZERO)) return "malformed";
  let places = 0;
  if (at < end) {
    if (text.charCodeAt(at) !== POINT) return "malformed";
    at++;
    let digit = ZERO;
    while (at < end) {
      digit = text.charCodeAt(at);
      if (digit < ZERO || digit > NINE) return "malformed";
      places++;
      if (places <= decimals) {
        value = value * 10 + (digit - ZERO);
        if (value > LIMIT) over = true;
      }
      at++;
    }
    if (digit === ZERO) return "malformed"; // also an empty fraction: a trailing zero or point is not canonical
  }
  if (places > decimals) return "precision";
  for (; places < decimals; places++) {
    value *= 10;
    if (value > LIMIT) over = true;
  }
  if (over) return "range";
  if (negative) return value === 0 ? "malformed" : -value;
  return value;
}

/** Writes a whole number of 10^-decimals as canonical decimal text. */
export function formatDecimal(value: number | bigint, decimals: number): string {
  const negative = value < 0;
  const digits = (negative ? -value : value).toString().padStart(decimals + 1, "0");
  const whole = digits.slice(0, digits.length - decimals);
  let end = digits.length;
  while (end > whole.length && digits.charCodeAt(end - 1) === ZERO) end--;
  const fraction = digits.slice(whole.length, end);
  return `${negative ? "-" : ""}${whole}${fraction === "" ? "" : `.${fraction}`}`;
}
