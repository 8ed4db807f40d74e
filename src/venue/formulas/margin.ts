import type { Lots } from "../../ground/math/fixed.ts";
import { SIDE } from "../../protocol/words.ts";
import { computeFree } from "../engine/margin/health.ts";
import { computeOpenInterestRate as computeRate } from "../engine/margin/openInterestRate.ts";
import { Health } from "../engine/state/health.ts";
import { computeInitialBig, computeMaintenanceBig, computeNotionalBig } from "../engine/valuation/notional.ts";
import { computeOrderCost as computeOrderCostOf } from "../engine/valuation/orderCost.ts";
import { FormulaError } from "./formulaError.ts";
import { type MarketTerms, namesOf, takeFields, takeLeverage, takeMark, takeMarket, takeSide } from "./terms.ts";
import {
  formatAmount,
  formatLots,
  formatShare,
  parseAmount,
  parseLots,
  parsePositiveLots,
  parseShare,
  parseTicks,
  parseUnsigned,
} from "./text.ts";

const MARGIN = namesOf("lotSize", "lotNumerator", "lotDenominator", "tiers", "priceMost", "leverageMax");
type MarginTerms = MarketTerms<(typeof MARGIN)[number]>;
const ORDER = namesOf(...MARGIN, "tickSize", "tickLotValue", "takerFee");
const LARGEST = namesOf(...ORDER, "maxLots", "positionLimitLots");

/**
 * Notional and margins of a position (MRG-1), USD.
 *
 *     notional    = ceil(|size| * mark)
 *     maintenance = ceil(notional * maintenanceRate_k) - deduction_k
 *     initial     = max(ceil(notional * initialRate_k) - deduction_k, ceil(notional / leverage), ceil(notional * leastRate))
 *
 * with k the last tier whose bound the notional reaches; in a `stepped` market, the last whose bound it is above, and
 * no deduction of initial margin. Rounding: up, three times; a margin is never short of the exact one.
 *
 * @param position mark at most the market's greatest price (NUM-3). `leverage` is a whole number that the owner chose,
 *   at most the market's greatest; 0 or absent for that. `leastRate` is by open interest, `computeOpenInterestRate`;
 *   none by default
 */
export function computeMargin(
  market: MarginTerms,
  position: { readonly size: string; readonly mark: string; readonly leverage?: number; readonly leastRate?: string },
): { readonly notional: string; readonly initial: string; readonly maintenance: string } {
  takeMarket(market, MARGIN);
  const { size, mark, leverage, leastRate = "0" } = takeFields(position, "position");
  const chosen = takeLeverage(market, leverage);
  const notional = computeNotionalBig(market, parseLots(market, size, "size"), takeMark(market, mark));
  return {
    notional: formatAmount(notional),
    initial: formatAmount(computeInitialBig(market, notional, chosen, parseShare(leastRate, "leastRate"))),
    maintenance: formatAmount(computeMaintenanceBig(market, notional)),
  };
}

/**
 * Initial rate that scales with open interest (MRG-1): `base` up to `lower`, 1 from `upper` on, a line between them,
 * rounded up to six decimals. "0" for `upper` is a rate that does not scale. Source: dYdX v4, liquidity tiers.
 *
 * @param openNotional open interest at the mark, USD
 */
export function computeOpenInterestRate(terms: {
  readonly base: string;
  readonly openNotional: string;
  readonly lower: string;
  readonly upper: string;
}): string {
  const { base, openNotional, lower, upper } = takeFields(terms, "terms");
  const [from, to] = [parseUnsigned(lower, "lower"), parseUnsigned(upper, "upper")];
  if (to !== 0 && from >= to) throw new FormulaError("FORMULA_RANGE", "lower", "must be below upper");
  return formatShare(computeRate(parseShare(base, "base"), parseUnsigned(openNotional, "openNotional"), from, to));
}

/**
 * Order cost at entry (MRG-3), USD: the loss that an order would realise at once against the mark, and the taker fee,
 * both rounded up.
 */
export function computeOrderCost(
  market: MarketTerms<(typeof ORDER)[number]>,
  order: { readonly side: "buy" | "sell"; readonly size: string; readonly price: string; readonly mark: string },
): string {
  takeMarket(market, ORDER);
  const { side } = takeFields(order, "order");
  const lots = parsePositiveLots(market, order.size, "size");
  const price = parseTicks(market, order.price, "price");
  const mark = takeMark(market, order.mark);
  return formatAmount(computeOrderCostOf(market, SIDE[takeSide(side)], lots, price, mark), "orderCost");
}

/**
 * Largest size of an order that an account without a position in the market can place: initial margin at the mark and
 * order cost are at most `equity` (MRG-1, MRG-3, MRG-4). In a `stepped` market initial margin jumps at a bound; the
 * result is the largest size on the grid that passes, which may lie at the bound.
 *
 * @param equity   USD that the order may take: equity less the initial margin of other markets
 * @param leverage whole number that the owner chose; 0 or absent for the market's greatest
 * @param leastRate by open interest, `computeOpenInterestRate`; none by default
 * @returns at most `maxSize` and `positionLimit`; "0" where one lot does not pass. `minSize` is not applied.
 */
export function computeLargestSize(
  market: MarketTerms<(typeof LARGEST)[number]>,
  order: {
    readonly side: "buy" | "sell";
    readonly price: string;
    readonly mark: string;
    readonly equity: string;
    readonly leverage?: number;
    readonly leastRate?: string;
  },
): string {
  takeMarket(market, LARGEST);
  const side = SIDE[takeSide(takeFields(order, "order").side)];
  const price = parseTicks(market, order.price, "price");
  const mark = takeMark(market, order.mark);
  const equity = BigInt(parseAmount(order.equity, "equity"));
  const leverage = takeLeverage(market, order.leverage);
  const least = parseShare(order.leastRate ?? "0", "leastRate");
  const passes = (lots: number): boolean => {
    const signedLots = lots as Lots;
    const cost = computeOrderCostOf(market, side, signedLots, price, mark);
    if (Number.isNaN(cost)) return false;
    return (
      computeInitialBig(market, computeNotionalBig(market, signedLots, mark), leverage, least) + BigInt(cost) <= equity
    );
  };
  // Margin and cost never fall as size grows, so every size up to the result passes.
  let taken = 0;
  let refused = Math.min(market.maxLots, market.positionLimitLots) + 1;
  while (refused - taken > 1) {
    const middle = Math.floor((taken + refused) / 2);
    if (passes(middle)) taken = middle;
    else refused = middle;
  }
  return formatLots(market, taken as Lots);
}

/**
 * Initial margin of a position in a market with its resting orders (MRG-3), USD: the greater of two sums,
 *
 *     buying:  initial(|size + buys|)  + order costs of the buys
 *     selling: initial(|size - sells|) + order costs of the sells
 *
 * at the mark. Reduce-only orders do not count.
 */
export function computeMarginWithOrders(
  market: MarginTerms,
  terms: {
    readonly size: string;
    readonly buys: string;
    readonly sells: string;
    readonly buyOrderCost: string;
    readonly sellOrderCost: string;
    readonly mark: string;
    readonly leverage?: number;
    readonly leastRate?: string;
  },
): { readonly buying: string; readonly selling: string; readonly required: string } {
  takeMarket(market, MARGIN);
  const signedLots = parseLots(market, takeFields(terms, "terms").size, "size");
  const mark = takeMark(market, terms.mark);
  const leverage = takeLeverage(market, terms.leverage);
  const least = parseShare(terms.leastRate ?? "0", "leastRate");
  const side = (exposure: number, orderCost: bigint) =>
    computeInitialBig(market, computeNotionalBig(market, exposure as typeof signedLots, mark), leverage, least) +
    orderCost;
  const [buys, sells] = [parseLots(market, terms.buys, "buys"), parseLots(market, terms.sells, "sells")];
  const buying = side(signedLots + buys, BigInt(parseUnsigned(terms.buyOrderCost, "buyOrderCost")));
  const selling = side(signedLots - sells, BigInt(parseUnsigned(terms.sellOrderCost, "sellOrderCost")));
  return {
    buying: formatAmount(buying),
    selling: formatAmount(selling),
    required: formatAmount(buying > selling ? buying : selling),
  };
}

/**
 * Collateral that may be withdrawn from a margin account (MRG-5), USD; negative where some is missing.
 *
 *     collateral + losses - max(initial, ceil(notional / 10))
 *
 * @param losses sum over positions of min(0, unrealised PnL + unsettled funding); at most 0
 * @param initial initial margin with resting orders
 */
export function computeFreeCollateral(marginAccount: {
  readonly collateral: string;
  readonly losses: string;
  readonly initial: string;
  readonly notional: string;
}): string {
  const health = new Health();
  health.losses = parseAmount(takeFields(marginAccount, "marginAccount").losses, "losses");
  if (health.losses > 0) throw new FormulaError("FORMULA_RANGE", "losses", "must not be above 0");
  health.initial = parseUnsigned(marginAccount.initial, "initial");
  health.notional = parseUnsigned(marginAccount.notional, "notional");
  return formatAmount(computeFree(parseAmount(marginAccount.collateral, "collateral"), health));
}

const LEVERAGE = namesOf("lotSize", "lotNumerator", "lotDenominator", "tiers", "priceMost");

/**
 * Greatest leverage that has an effect on a position (MRG-1): the whole part of notional over the initial margin of its
 * tier and of open interest. A greater one that the owner chose changes nothing. 0 for a notional of 0.
 *
 * @param leastRate by open interest, `computeOpenInterestRate`; none by default
 */
export function computeGreatestLeverage(
  market: MarketTerms<(typeof LEVERAGE)[number]>,
  position: { readonly size: string; readonly mark: string; readonly leastRate?: string },
): number {
  takeMarket(market, LEVERAGE);
  const { size, mark, leastRate = "0" } = takeFields(position, "position");
  const notional = computeNotionalBig(market, parseLots(market, size, "size"), takeMark(market, mark));
  const initial = computeInitialBig(market, notional, 0, parseShare(leastRate, "leastRate"));
  return initial === 0n ? 0 : Number(notional / initial);
}
