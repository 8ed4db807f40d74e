import { computeTakerFee } from "../engine/matching/fees.ts";
import { type Level, readLevels } from "./levels.ts";
import { type MarketTerms, namesOf, takeMarket, takeSide } from "./terms.ts";
import { formatAmount, formatAverage, formatLots, formatPrice, parsePositiveLots } from "./text.ts";

export interface FillCost {
  /** How much of the size the book can fill. */
  readonly filled: string;
  /** Value of the fills, USD, exact. */
  readonly value: string;
  /** Taker fee on it, rounded up once (ORD-7). */
  readonly fee: string;
  /** value / filled, 8 decimals, toward zero; "0" where nothing fills. */
  readonly averagePrice: string;
  /** Price of the last fill: the limit that an order would need; "0" where nothing fills. */
  readonly worstPrice: string;
}

const COST = namesOf("lotSize", "tickSize", "tickLotValue", "lotNumerator", "lotDenominator", "takerFee");

/**
 * The cost of taking a size from one side of a book (ORD-6, ORD-7): the asks for a buy, the bids for a sale. Fills are
 * at the makers' prices and never round.
 *
 * @param levels from the best price on
 */
export function computeCostToFill(
  market: MarketTerms<(typeof COST)[number]>,
  side: "buy" | "sell",
  size: string,
  levels: readonly Level[],
): FillCost {
  takeMarket(market, COST);
  takeSide(side);
  let left: number = parsePositiveLots(market, size, "size");
  let filled = 0;
  let value = 0;
  let worst = 0;
  for (const { price, lots } of readLevels(market, side === "buy" ? "asks" : "bids", levels)) {
    if (left === 0) break;
    const taken = lots < left ? lots : left;
    value += taken * price * market.tickLotValue;
    filled += taken;
    left -= taken;
    worst = price;
  }
  return {
    filled: formatLots(market, filled),
    value: formatAmount(value, "value"),
    fee: formatAmount(computeTakerFee(value, market.takerFee), "fee"),
    averagePrice: filled === 0 ? "0" : formatAverage(market, BigInt(value), BigInt(filled)),
    worstPrice: formatPrice(worst * market.tickSize),
  };
}
