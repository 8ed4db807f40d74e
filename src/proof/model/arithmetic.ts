/** Divisions named by their rounding, and decimal text; the model uses no others (NUM-2). */

/** Toward minus infinity. */
export function divFloor(a: bigint, b: bigint): bigint {
  const quotient = a / b;
  if (a < 0n === b < 0n) return quotient;
  return quotient * b === a ? quotient : quotient - 1n;
}

/** Toward plus infinity. */
export function divCeil(a: bigint, b: bigint): bigint {
  return -divFloor(-a, b);
}

/** Toward zero. */
export function divTrunc(a: bigint, b: bigint): bigint {
  return a / b;
}

export function abs(a: bigint): bigint {
  return a < 0n ? -a : a;
}

export function min(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

export function max(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}

export function clamp(a: bigint, low: bigint, high: bigint): bigint {
  return a < low ? low : a > high ? high : a;
}

export function sum<Item>(items: readonly Item[], of: (item: Item) => bigint): bigint {
  let total = 0n;
  for (const item of items) total += of(item);
  return total;
}

const DECIMAL = /^-?(0|[1-9][0-9]*)(\.[0-9]*[1-9])?$/;

/** The units of a canonical decimal; undefined if it is not canonical or has too many digits (NUM-5). */
export function readDecimal(text: string, decimals: number): bigint | undefined {
  if (text === "-0" || text.length > 64 || !DECIMAL.test(text)) return undefined;
  const [whole = "", fraction = ""] = text.replace("-", "").split(".");
  if (fraction.length > decimals) return undefined;
  const value = BigInt(whole + fraction.padEnd(decimals, "0"));
  return text.startsWith("-") ? -value : value;
}

/** Units as decimal text. */
export function writeDecimal(value: bigint, decimals: number): string {
  const digits = abs(value)
    .toString()
    .padStart(decimals + 1, "0");
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, "");
  return `${value < 0n ? "-" : ""}${whole}${fraction === "" ? "" : `.${fraction}`}`;
}
