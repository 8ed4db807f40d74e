import { NONE } from "../../ground/collections/table.ts";
import type { Ticks } from "../../ground/math/fixed.ts";
import { NO_PRICE } from "../engine/state/book.ts";
import type { MarketRow } from "../engine/state/schema.ts";
import type { State } from "../engine/state/state.ts";
import type { Level } from "../formulas/levels.ts";
import { formatLots, formatTicks } from "../formulas/text.ts";

/** The order book of a market. Levels are as the formulas take them: `[price, size]` as decimal text. */
export interface BookView {
  readonly market: string;
  /** From the best price down; prices in USD, sizes in units of base. */
  readonly bids: readonly Level[];
  /** From the best price up. */
  readonly asks: readonly Level[];
}

/**
 * The order book of a market: its resting sizes, level by level.
 *
 * @param depth most levels of a side; default: all of them
 * @returns undefined where no market has the name
 */
export function getBook(state: State, market: string, depth = Number.POSITIVE_INFINITY): BookView | undefined {
  const row = state.marketRows.get(market);
  if (row === undefined) return undefined;
  return { market, bids: listLevels(state, row, "bids", depth), asks: listLevels(state, row, "asks", depth) };
}

function listLevels(state: State, market: MarketRow, side: "bids" | "asks", depth: number): Level[] {
  const book = state.books[market];
  const rules = state.parameters[market];
  const levels: Level[] = [];
  let price: Ticks = side === "bids" ? book.bestBid : book.bestAsk;
  while (price !== NO_PRICE && levels.length < depth) {
    levels.push([formatTicks(rules, price), formatLots(rules, measureLevel(state, market, price).lots)]);
    price = side === "bids" ? book.below(price) : book.above(price);
  }
  return levels;
}

/** Lots and orders that rest at a price. */
export function measureLevel(
  { books, orders }: State,
  market: MarketRow,
  price: Ticks,
): { lots: number; orders: number } {
  let lots = 0;
  let count = 0;
  for (let row = books[market].head(price); row !== NONE; row = orders.levelNext[row]) {
    lots += orders.remaining[row];
    count++;
  }
  return { lots, orders: count };
}
