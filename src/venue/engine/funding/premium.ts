import { NONE } from "../../../ground/collections/table.ts";
import { mulDivTrunc, PPB } from "../../../ground/math/fixed.ts";
import { SIDE } from "../../../protocol/words.ts";
import { FillableLots } from "../book/fillableLots.ts";
import type { MarketRow } from "../state/schema.ts";
import type { State } from "../state/state.ts";
import { ImpactFill } from "./impact.ts";

/**
 * Average price of filling the impact notional on one side of the book (FND-1), in 1e-8 USD. It is rounded toward the
 * mid (down for bids, up for asks); 0 where the book is not deep enough. Orders count what they can fill (ORD-9). Cost:
 * once per order up to the notional.
 */
export function getImpactPrice(state: State, market: MarketRow, side: number): number {
  const { orders } = state;
  const rules = state.parameters[market]!;
  const book = state.books[market]!;
  const fill = new ImpactFill(rules);
  const fillable = new FillableLots(state);
  let price = side === SIDE.buy ? book.bestBid : book.bestAsk;
  while (price !== 0 && fill.left > 0) {
    for (let order = book.head(price); order !== NONE && fill.left > 0; order = orders.levelNext[order]) {
      const lots = fillable.take(order);
      if (lots > 0) fill.take(price, lots);
    }
    price = side === SIDE.buy ? book.below(price) : book.above(price);
  }
  return fill.average(side);
}

/**
 * Greatest premium of a sample, 1,000 %: above six times any initial rate, and therefore above every rate that is paid
 * (FND-2). A sample stays storable where an index collapses while bids still rest.
 */
const PREMIUM_MOST = 10 * PPB;

/** One premium sample of a market's book (FND-1), ppb. */
export function getPremium(state: State, market: MarketRow): number {
  const bid = getImpactPrice(state, market, SIDE.buy);
  const ask = getImpactPrice(state, market, SIDE.sell);
  return computePremium(state.markets.index[market], bid, ask);
}

/**
 * Premium of impact prices over the index (FND-1), ppb, toward zero, at most `PREMIUM_MOST` either way:
 *
 *     (max(0, impactBid - index) - max(0, index - impactAsk)) / index
 *
 * @param index index price, 1e-8 USD, positive
 * @param bid   impact prices, 1e-8 USD; 0 where the book is not deep enough, which counts as no premium
 */
export function computePremium(index: number, bid: number, ask: number): number {
  const above = bid === 0 || bid < index ? 0 : bid - index;
  const below = ask === 0 || ask > index ? 0 : index - ask;
  const premium = mulDivTrunc(above - below, PPB, index);
  if (Math.abs(premium) <= PREMIUM_MOST) return premium;
  return above > below ? PREMIUM_MOST : -PREMIUM_MOST;
}
