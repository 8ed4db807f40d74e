/**
 * Returns plainer numbers than a given one, plainest first: 1, powers of ten near it, then the number with fewer
 * digits, from below and above. Signs stay.
 *
 * @param value    whole number, in units of 10^-decimals
 * @param decimals digits after the point
 */
export function rounder(value: number, decimals: number): number[] {
  if (value === 0) return [];
  const size = Math.abs(value);
  const one = 10 ** decimals;
  const candidates = [one, 100 * one];
  const digits = String(size).length;
  for (let kept = 0; kept < digits; kept++) {
    const unit = 10 ** (digits - kept);
    candidates.push(Math.floor(size / unit) * unit, Math.ceil(size / unit) * unit);
  }
  const own = plainness(size, decimals);
  const plainer = new Set(candidates.filter((number) => number > 0 && Number.isSafeInteger(number)));
  return [...plainer]
    .filter((number) => plainness(number, decimals) < own)
    .sort((a, b) => plainness(a, decimals) - plainness(b, decimals) || a - b)
    .map((number) => Math.sign(value) * number);
}

/** Complexity of a number: digits that are not trailing zeros, then zeros, on both sides of the point. */
export function plainness(value: number, decimals: number): number {
  const text = String(value);
  const bare = text.replace(/0+$/, "");
  const exponent = text.length - bare.length - decimals;
  const lead = bare === "1" ? 0 : 1;
  return bare.length * 8 + lead * 4 + Math.abs(exponent);
}
