import { compareRanked, scorePosition } from "../engine/liquidation/ranking.ts";
import { FormulaError } from "./formulaError.ts";
import { type MarketTerms, namesOf, takeFields, takeFlag, takeList, takeMark, takeMarket } from "./terms.ts";
import { parseAmount, parseLots, takeCount } from "./text.ts";

const RANK = namesOf("liquidationPolicy", "lotSize", "lotNumerator", "lotDenominator", "priceMost");

/** A position that may be deleveraged. */
export interface RankedHolder {
  /** Number of the account: ties go by it, and the policy `dydx` turns through it. */
  readonly account: number;
  /** Signed, not 0. */
  readonly size: string;
  /** Signed USD paid for it. */
  readonly cost: string;
  /** Of its margin account at the present marks, USD. */
  readonly equity: string;
  /** A house account, which comes last; false by default. */
  readonly house?: boolean;
}

/**
 * The order in which positions of one side of a market are deleveraged (LIQ-5), as places in the list. They are ordered
 * by the rank of the market's `liquidationPolicy`, greatest first, then by account. Without positive equity a position
 * comes after all that have some, and house accounts come last.
 *
 * @param terms mark of the market; the policy `dydx` needs the height of the block and the number of accounts of the
 * venue as well
 */
export function computeDeleveragingOrder(
  market: MarketTerms<(typeof RANK)[number]>,
  holders: readonly RankedHolder[],
  terms: { readonly mark: string; readonly accounts?: number; readonly height?: number },
): number[] {
  takeMarket(market, RANK);
  const mark = takeMark(market, takeFields(terms, "terms").mark);
  const height = takeCount(terms.height ?? 0, 0, "height");
  const accounts = takeCount(terms.accounts ?? 1, 1, "accounts");
  const ranked = takeList(holders, "holders").map((holder, place) => {
    const { size, cost, equity, account, house } = takeFields(holder, `holders[${place}]`);
    const lots = parseLots(market, size, `holders[${place}].size`);
    if (lots === 0) throw new FormulaError("FORMULA_RANGE", `holders[${place}].size`, "must not be 0");
    const score = scorePosition(market, mark, {
      signedLots: lots,
      cost: parseAmount(cost, `holders[${place}].cost`),
      equity: BigInt(parseAmount(equity, `holders[${place}].equity`)),
      account: takeCount(account, 0, `holders[${place}].account`),
      house: takeFlag(house, `holders[${place}].house`),
      accounts,
      height,
    });
    return { place, ...score };
  });
  return ranked.sort(compareRanked).map(({ place }) => place);
}
