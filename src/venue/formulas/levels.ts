import type { Lots, Ticks } from "../../ground/math/fixed.ts";
import { FormulaError } from "./formulaError.ts";
import { takeList } from "./terms.ts";
import { parsePositiveLots, parseTicks, type SizeTerms, type TickTerms } from "./text.ts";

/** One price of a book's side: price and size as text. */
export type Level = readonly [price: string, size: string];

/** Reads a side of a book: bids fall, asks rise. */
export function readLevels(
  market: SizeTerms & TickTerms,
  side: "bids" | "asks",
  levels: readonly Level[],
): { readonly price: Ticks; readonly lots: Lots }[] {
  let before = side === "bids" ? Number.POSITIVE_INFINITY : 0;
  return takeList(levels, side).map((level, place) => {
    const [priceText, sizeText] = takeList<string>(level, `${side}[${place}]`) as Level;
    const price = parseTicks(market, priceText, `${side}[${place}].price`);
    if (side === "bids" ? price >= before : price <= before) {
      throw new FormulaError("FORMULA_RANGE", `${side}[${place}].price`, "levels go from the best price on");
    }
    before = price;
    return { price, lots: parsePositiveLots(market, sizeText, `${side}[${place}].size`) };
  });
}
