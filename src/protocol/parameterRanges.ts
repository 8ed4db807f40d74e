import { formatDecimal, scanDecimal } from "../ground/math/decimal.ts";
import { LIMIT } from "../ground/math/fixed.ts";
import { MARKET_PARAMETER_ENTRIES } from "./parameters.ts";

const DECIMALS_OF: Readonly<Record<string, number>> = { price: 8, size: 8, amount: 6, ppm: 6, ppb: 9, ms: 0, count: 0 };

/** What a parameter's text may be: one of its words, or a decimal between two bounds. */
export interface ParameterRange {
  readonly words: readonly string[];
  /** Decimals of its unit; 0 where it has words or sources. */
  readonly decimals: number;
  /** In its unit, both allowed. */
  readonly least: number;
  readonly most: number;
  /** 0 is allowed as well, below `least`. */
  readonly orZero: boolean;
}

/**
 * Range of each parameter but `sources`, the tiers and the fee tiers: what the check refuses, the parameter page
 * documents and the search draws up to.
 */
export const PARAMETER_RANGES: ReadonlyMap<string, ParameterRange> = new Map(
  MARKET_PARAMETER_ENTRIES.filter(([, { kind }]) => kind !== "sources").map(
    ([name, { kind, words = [], signed, least, most, orZero = false }]) => {
      const decimals = DECIMALS_OF[kind] ?? 0;
      const read = (text: string) => scanDecimal(text, decimals) as number;
      return [
        name,
        {
          words,
          decimals,
          least: least === undefined ? (signed ? 0 - LIMIT : 0) : read(least),
          most: most === undefined ? LIMIT : read(most),
          orZero,
        },
      ];
    },
  ),
);

/** Reads a parameter's text. Returns its value in its unit, the place of a word, or why the text is refused. */
export function readValue({ words, decimals, least, most, orZero }: ParameterRange, text: string): number | string {
  if (words.length > 0) {
    const place = words.indexOf(text);
    return place < 0 ? `must be one of ${words.join(", ")}` : place;
  }
  const value = scanDecimal(text, decimals);
  if (value === "malformed")
    return `${JSON.stringify(text)} is not a canonical decimal such as "0.5", "-12" or "60000"`;
  if (value === "precision") return `${JSON.stringify(text)} has more than ${decimals} digits after the point`;
  const isLarge = value === "range";
  if (isLarge ? text.startsWith("-") : value < least && !(orZero && value === 0)) {
    const bound = least === 0 ? "not be negative" : `be at least ${formatDecimal(least, decimals)}`;
    return orZero ? `must be 0 or at least ${formatDecimal(least, decimals)}` : `must ${bound}`;
  }
  return isLarge || value > most ? `must be at most ${formatDecimal(most, decimals)}` : value;
}
