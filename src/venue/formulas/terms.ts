/** Checks the arguments of formulas before anything is computed: a fault is a `FormulaError`, whatever was passed. */
import type { PriceE8 } from "../../ground/math/fixed.ts";
import type { MarketParameters } from "../../protocol/parameters.ts";
import { FormulaError } from "./formulaError.ts";
import { formatPrice, parsePrice, takeCount } from "./text.ts";

/** The parameters of a market that a formula reads, and no others. */
export type MarketTerms<Name extends keyof MarketParameters> = Pick<MarketParameters, Name>;

/** Names of parameters that a formula reads; `takeMarket` checks that they are there. */
export function namesOf<Name extends keyof MarketParameters>(...names: Name[]): readonly Name[] {
  return names;
}

/** A market as `readMarket` makes it, with the parameters that the formula reads. */
export function takeMarket<Name extends keyof MarketParameters>(
  market: MarketTerms<Name>,
  names: readonly Name[],
  argument = "market",
): MarketTerms<Name> {
  const given = takeFields(market, argument);
  for (const name of names) {
    if (given[name] === undefined) {
      throw new FormulaError("FORMULA_TYPE", argument, `has no ${name}; readMarket makes a market from texts`);
    }
  }
  return given;
}

/** An object with fields. */
export function takeFields<Fields extends object>(fields: Fields, argument: string): Fields {
  if (typeof fields === "object" && fields !== null && !Array.isArray(fields)) return fields;
  throw new FormulaError("FORMULA_TYPE", argument, "must be an object with fields");
}

/** A list. */
export function takeList<Item>(list: readonly Item[], argument: string): readonly Item[] {
  if (Array.isArray(list)) return list;
  throw new FormulaError("FORMULA_TYPE", argument, "must be a list");
}

/** One of some words. */
export function takeWord<Word extends string>(word: Word, words: readonly Word[], argument: string): Word {
  if (words.includes(word)) return word;
  throw new FormulaError("FORMULA_TYPE", argument, `must be one of ${words.join(", ")}`);
}

/** Yes or no; no where it is left out. */
export function takeFlag(flag: boolean | undefined, argument: string): boolean {
  if (flag === undefined || typeof flag === "boolean") return flag === true;
  throw new FormulaError("FORMULA_TYPE", argument, "must be true or false");
}

export function takeSide(side: "buy" | "sell"): "buy" | "sell" {
  return takeWord(side, ["buy", "sell"], "side");
}

/** A mark that the market can have: above 0, and at most its greatest reference price (NUM-3). */
export function takeMark(market: MarketTerms<"priceMost">, text: string, argument = "mark"): PriceE8 {
  const mark = parsePrice(text, argument);
  if (mark <= market.priceMost) return mark;
  const most = formatPrice(market.priceMost);
  throw new FormulaError(
    "FORMULA_RANGE",
    argument,
    `must be at most ${most}, the greatest price of the market (NUM-3)`,
  );
}

/** A leverage that an owner can choose: whole, at most the market's greatest; 0 for none. */
export function takeLeverage(market: MarketTerms<"leverageMax">, leverage: number | undefined): number {
  const chosen = takeCount(leverage ?? 0, 0, "leverage");
  if (chosen <= market.leverageMax) return chosen;
  throw new FormulaError("FORMULA_RANGE", "leverage", `must be at most ${market.leverageMax}, the market's greatest`);
}
