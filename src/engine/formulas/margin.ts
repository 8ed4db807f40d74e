import type { Lots } from "../../math/fixed.ts";
import type { MarketParameters } from "../../protocol/parameters.ts";
import { SIDE } from "../../protocol/words.ts";
import { computeFree, Health } from "../margin/health.ts";
import { computeInitialWide, computeMaintenanceWide, computeNotionalWide } from "../margin/notional.ts";
import { computeOpenInterestRate as computeRate } from "../margin/openInterestRate.ts";
import { computeOrderCharge as computeCharge } from "../margin/orderCharge.ts";
import { FormulaError } from "./formulaError.ts";
import {
  formatAmount,
  formatLots,
  formatShare,
  parseAmount,
  parseLots,
  parsePositiveLots,
  parsePrice,
  parseShare,
  parseTicks,
  parseUnsigned,
  takeCount,
} from "./text.ts";

/**
 * Notional and requirements of a position (MRG-1), USD.
 *
 *     notional    = ceil(|size| * mark)
 *     maintenance = ceil(notional * maintenanceRate_k) - deduction_k
 *     initial     = max(ceil(notional * initialRate_k) - deduction_k, ceil(notional / leverage), ceil(notional * leastRate))
 *
 * with k the last tier whose bound the notional reaches; in a `stepped` market, the last whose bound it is above, and no
 * deduction of initial margin. Rounding: up, three times; a requirement is never short of the exact one.
 *
 * @param leverage  whole number that the owner chose; 0 or absent for the market's greatest
 * @param leastRate by open interest, `computeOpenInterestRate`; none by default
 */
export function computeMargin(
  market: MarketParameters,
  {
    size,
    mark,
    leverage = 0,
    leastRate = "0",
  }: { readonly size: string; readonly mark: string; readonly leverage?: number; readonly leastRate?: string },
): { readonly notional: string; readonly initial: string; readonly maintenance: string } {
  const notional = computeNotionalWide(market, parseLots(market, size, "size"), parsePrice(mark, "mark"));
  return {
    notional: formatAmount(notional),
    initial: formatAmount(
      computeInitialWide(market, notional, takeCount(leverage, 0, "leverage"), parseShare(leastRate, "leastRate")),
    ),
    maintenance: formatAmount(computeMaintenanceWide(market, notional)),
  };
}

/**
 * Initial rate that scales with open interest (MRG-1): `base` up to `lower`, 1 from `upper` on, a line between them,
 * rounded up to six decimals. "0" for `upper` is a rate that does not scale. Source: dYdX v4, liquidity tiers.
 *
 * @param openNotional open interest at the mark, USD
 */
export function computeOpenInterestRate({
  base,
  openNotional,
  lower,
  upper,
}: {
  readonly base: string;
  readonly openNotional: string;
  readonly lower: string;
  readonly upper: string;
}): string {
  const [from, to] = [parseUnsigned(lower, "lower"), parseUnsigned(upper, "upper")];
  if (to !== 0 && from >= to) throw new FormulaError("FORMULA_RANGE", "lower", "must be below upper");
  return formatShare(computeRate(parseShare(base, "base"), parseUnsigned(openNotional, "openNotional"), from, to));
}

/**
 * What an order is charged against margin when it enters (MRG-3), USD: the loss that it would realise at once against the
 * mark, and the taker fee, both rounded up.
 */
export function computeOrderCharge(
  market: MarketParameters,
  order: { readonly side: "buy" | "sell"; readonly size: string; readonly price: string; readonly mark: string },
): string {
  const size = parsePositiveLots(market, order.size, "size");
  const price = parseTicks(market, order.price, "price");
  return formatAmount(computeCharge(market, SIDE[order.side], size, price, parsePrice(order.mark, "mark")), "charge");
}

/**
 * Largest size of an order that an account without a position in the market can place: initial margin at the mark and
 * order cost are at most `equity` (MRG-1, MRG-3, MRG-4). In a `stepped` market initial margin jumps at a bound; the result
 * is the largest size on the grid that passes, which may lie at the bound.
 *
 * @param equity   USD that the order may take: equity less the initial margin of other markets
 * @param leverage whole number that the owner chose; 0 or absent for the market's greatest
 * @param leastRate by open interest, `computeOpenInterestRate`; none by default
 * @returns at most `maxSize` and `positionLimit`; "0" where one lot does not pass. `minSize` is not applied.
 */
export function computeLargestSize(
  market: MarketParameters,
  order: {
    readonly side: "buy" | "sell";
    readonly price: string;
    readonly mark: string;
    readonly equity: string;
    readonly leverage?: number;
    readonly leastRate?: string;
  },
): string {
  const price = parseTicks(market, order.price, "price");
  const mark = parsePrice(order.mark, "mark");
  const equity = BigInt(parseAmount(order.equity, "equity"));
  const leverage = takeCount(order.leverage ?? 0, 0, "leverage");
  const least = parseShare(order.leastRate ?? "0", "leastRate");
  const passes = (lots: number): boolean => {
    const size = lots as Lots;
    const cost = computeCharge(market, SIDE[order.side], size, price, mark);
    if (Number.isNaN(cost)) return false;
    return (
      computeInitialWide(market, computeNotionalWide(market, size, mark), leverage, least) + BigInt(cost) <= equity
    );
  };
  // Margin and cost never fall as size grows, so what passes is everything up to the result.
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
 * What a market takes of an account's initial requirement with its resting orders (MRG-3), USD: the greater of two sums,
 *
 *     buying:  initial(|size + buys|)  + what the buys were charged
 *     selling: initial(|size - sells|) + what the sells were charged
 *
 * at the mark. Reduce-only orders do not count.
 */
export function computeOrderRequirement(
  market: MarketParameters,
  terms: {
    readonly size: string;
    readonly buys: string;
    readonly sells: string;
    readonly buyCharge: string;
    readonly sellCharge: string;
    readonly mark: string;
    readonly leverage?: number;
    readonly leastRate?: string;
  },
): { readonly buying: string; readonly selling: string; readonly required: string } {
  const size = parseLots(market, terms.size, "size");
  const mark = parsePrice(terms.mark, "mark");
  const leverage = takeCount(terms.leverage ?? 0, 0, "leverage");
  const least = parseShare(terms.leastRate ?? "0", "leastRate");
  const side = (exposure: number, charge: bigint) =>
    computeInitialWide(market, computeNotionalWide(market, exposure as typeof size, mark), leverage, least) + charge;
  const [buys, sells] = [parseLots(market, terms.buys, "buys"), parseLots(market, terms.sells, "sells")];
  const buying = side(size + buys, BigInt(parseUnsigned(terms.buyCharge, "buyCharge")));
  const selling = side(size - sells, BigInt(parseUnsigned(terms.sellCharge, "sellCharge")));
  return {
    buying: formatAmount(buying),
    selling: formatAmount(selling),
    required: formatAmount(buying > selling ? buying : selling),
  };
}

/**
 * Collateral that is free to leave a bucket (MRG-5), USD; negative where something is missing.
 *
 *     collateral + losses - max(initial, ceil(notional / 10))
 *
 * @param losses sum over positions of min(0, unrealised PnL + unsettled funding); at most 0
 * @param initial initial requirement with resting orders
 */
export function computeFreeCollateral(bucket: {
  readonly collateral: string;
  readonly losses: string;
  readonly initial: string;
  readonly notional: string;
}): string {
  const health = new Health();
  health.losses = parseAmount(bucket.losses, "losses");
  if (health.losses > 0) throw new FormulaError("FORMULA_RANGE", "losses", "must not be above 0");
  health.initial = parseUnsigned(bucket.initial, "initial");
  health.notional = parseUnsigned(bucket.notional, "notional");
  return formatAmount(computeFree(parseAmount(bucket.collateral, "collateral"), health));
}
