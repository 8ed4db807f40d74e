/** Durations and decimals as mapping files write them. */
import { LIMIT, SIZE_DECIMALS } from "../../../ground/math/fixed.ts";

const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Milliseconds of `8h`; the schema has checked the text. */
export function parseDuration(text: string): number {
  const match = /^(\d+)(ms|s|m|h|d)$/.exec(text);
  if (match === null) throw new Error(`${text} is not a duration`);
  return Number(match[1]) * UNIT_MS[match[2]!]!;
}

/**
 * A decimal as `digits * 10^-places`, and in units of 1e-8; `undefined` if it needs more than 8 places or is too large.
 */
export function parseUnits(text: string): { units: number; digits: number; places: number } | undefined {
  const [whole = "", fraction = ""] = text.split(".");
  const trimmed = fraction.replace(/0+$/, "");
  const digits = Number(whole + trimmed);
  const units = digits * 10 ** (SIZE_DECIMALS - trimmed.length);
  if (trimmed.length > SIZE_DECIMALS || units > LIMIT) return undefined;
  return { units, digits, places: trimmed.length };
}
