import { scanDecimal } from "../../../ground/math/decimal.ts";
import { LIMIT } from "../../../ground/math/fixed.ts";
import { SCOPES } from "../../../protocol/action.ts";
import type { Covered } from "../state/grants.ts";
import type { MarketRow } from "../state/schema.ts";

/** Value of a limit that is not set. */
export const UNLIMITED = -1;

/** Scopes that an owner may grant. */
export const GRANTABLE = ["trade", "reduce", "cancel", "margin", "transfer"] as const;
type Grantable = (typeof GRANTABLE)[number];

/** Bit of a scope in a grant; 0 for a scope that cannot be granted. */
export function scopeBit(scope: (typeof SCOPES)[number]): number {
  return GRANTABLE.includes(scope as Grantable) ? 1 << SCOPES.indexOf(scope) : 0;
}

const ALL_SCOPES = GRANTABLE.reduce((bits, scope) => bits | scopeBit(scope), 0);

/** The words of a list: spaces between, none twice; undefined for anything else. `*` is everything. */
function readList(text: string): readonly string[] | "all" | undefined {
  if (text === "*") return "all";
  if (text === "") return [];
  const words = text.split(" ");
  return words.includes("") || new Set(words).size !== words.length ? undefined : words;
}

/** Bits of the scopes that a text names, undefined where it names another. */
export function readScopes(text: string): number | undefined {
  const words = readList(text);
  if (words === "all") return ALL_SCOPES;
  let bits = 0;
  for (const word of words ?? [""]) {
    const bit = scopeBit(word as Grantable);
    if (bit === 0) return undefined;
    bits |= bit;
  }
  return bits;
}

/** Markets that a text names, undefined where one does not exist. */
export function readMarkets(text: string, rows: ReadonlyMap<string, MarketRow>): Covered<MarketRow> | undefined {
  const words = readList(text);
  if (words === "all" || words === undefined) return words;
  const named = words.map((word) => rows.get(word));
  return named.includes(undefined) ? undefined : new Set(named as MarketRow[]);
}

/** Subaccounts that a text names as canonical numbers of 32 bits. */
export function readSubaccounts(text: string): Covered<number> | undefined {
  const words = readList(text);
  if (words === "all" || words === undefined) return words;
  const fine = words.every((word) => /^(0|[1-9][0-9]{0,9})$/.test(word) && Number(word) <= 0xffff_ffff);
  return fine ? new Set(words.map(Number)) : undefined;
}

/** A limit as text: a decimal of so many digits, or `*`. */
export function readLimit(text: string, decimals: number): number | undefined {
  if (text === "*") return UNLIMITED;
  const value = scanDecimal(text, decimals);
  return typeof value === "string" || value < 0 || value > LIMIT ? undefined : value;
}
