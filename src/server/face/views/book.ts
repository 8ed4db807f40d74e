import { computeBookChecksum } from "../../../client/api/bookChecksum.ts";
import type { Book, BookLevel } from "../../../client/api/schemas/markets.ts";
import type { Ticks } from "../../../ground/math/fixed.ts";
import { NO_PRICE } from "../../../venue/engine/state/book.ts";
import type { MarketRow } from "../../../venue/engine/state/schema.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import { formatLots } from "../../../venue/formulas/text.ts";
import { measureLevel } from "../../../venue/reads/book.ts";
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
