/** Digits after the point, without zeros at the end: 2 of "0.10" is 1. */
export function countDecimals(text: string): number {
  const point = text.indexOf(".");
  if (point < 0) return 0;
  let end = text.length;
  while (text.charCodeAt(end - 1) === 48) end--;
  return Math.max(0, end - point - 1);
}

/**
 * Decimal text as a whole number of 10^-decimals, to the nearest where it has more digits. Text of other programs has
 * zeros at its end, and the noise of doubles: "123633.8000000001".
 */
export function readScaled(text: string, decimals: number): number {
  const isNegative = text.startsWith("-");
  const point = text.indexOf(".");
  const whole = text.slice(isNegative ? 1 : 0, point < 0 ? text.length : point);
  const fraction = point < 0 ? "" : text.slice(point + 1);
  const digits = whole + fraction.slice(0, decimals).padEnd(decimals, "0");
  if (!/^\d+$/.test(whole + fraction)) throw new Error(`${JSON.stringify(text)} is not a decimal`);
  const value = Number(digits) + (fraction.charCodeAt(decimals) >= 53 ? 1 : 0);
  if (!Number.isSafeInteger(value)) throw new Error(`${text} does not fit ${decimals} decimals`);
  return isNegative && value !== 0 ? -value : value;
}
