import { NONE } from "../../ground/collections/table.ts";
import { FillableLots } from "../engine/book/fillableLots.ts";
import type { MarketRow } from "../engine/state/schema.ts";
import type { State } from "../engine/state/state.ts";
import type { Level } from "./levels.ts";
import { formatLots, formatPrice } from "./text.ts";

/**
 * Price levels of one side of a venue's book with the size that their orders can fill (ORD-9), from the best price on.
 * The formulas over levels take them. The public book shows all resting sizes, which reduce-only orders can make larger
 * than the sizes that can fill.
 *
 * @param most levels at most; all by default. Levels that can fill nothing are left out and do not count.
 */
export function getFillableDepth(
  state: State,
  market: MarketRow,
  side: "bids" | "asks",
  most: number = Number.POSITIVE_INFINITY,
): Level[] {
  const { orders } = state;
  const rules = state.parameters[market]!;
  const book = state.books[market]!;
  const fillable = new FillableLots(state);
  const levels: Level[] = [];
  let price = side === "bids" ? book.bestBid : book.bestAsk;
  while (price !== 0 && levels.length < most) {
    let lots = 0;
    for (let order = book.head(price); order !== NONE; order = orders.levelNext[order]) lots += fillable.take(order);
    if (lots > 0) levels.push([formatPrice(price * rules.tickSize), formatLots(rules, lots)]);
    price = side === "bids" ? book.below(price) : book.above(price);
  }
  return levels;
}
