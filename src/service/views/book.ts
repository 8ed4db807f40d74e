import { computeBookChecksum } from "../../api/bookChecksum.ts";
import type { Book, BookLevel } from "../../api/schemas/markets.ts";
import { NONE } from "../../collections/table.ts";
import { NO_PRICE } from "../../engine/book/book.ts";
import { formatLots } from "../../engine/formulas/text.ts";
import type { MarketRow } from "../../engine/state/schema.ts";
import type { State } from "../../engine/state/state.ts";
import type { Ticks } from "../../math/fixed.ts";
import { textOfTicks } from "./text.ts";

/** One side of a book by price, from the best on. Cost: once per order of those levels. */
export function viewSide(state: State, market: MarketRow, side: "bids" | "asks", depth: number): BookLevel[] {
  const book = state.books[market]!;
  const rules = state.parameters[market]!;
  const levels: BookLevel[] = [];
  let price: Ticks = side === "bids" ? book.bestBid : book.bestAsk;
  while (price !== NO_PRICE && levels.length < depth) {
    const { lots, orders } = measureLevel(state, market, price);
    levels.push([textOfTicks(rules, price), formatLots(rules, lots), orders]);
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
  for (let row = books[market]!.head(price); row !== NONE; row = orders.levelNext[row]!) {
    lots += orders.remaining[row]!;
    count++;
  }
  return { lots, orders: count };
}

/** @param epoch of the host, to which the sequence belongs */
export function viewBook(state: State, market: MarketRow, depth: number, epoch: number): Book {
  const bids = viewSide(state, market, "bids", Math.max(depth, 10));
  const asks = viewSide(state, market, "asks", Math.max(depth, 10));
  return {
    market: state.marketNames[market]!,
    bids: bids.slice(0, depth),
    asks: asks.slice(0, depth),
    depth,
    seq: state.height,
    epoch,
    checksum: computeBookChecksum(bids, asks),
  };
}
