import { NONE } from "../../collections/table.ts";
import { mulDivCeil, mulDivFloor, mulDivTrunc, PPB } from "../../math/fixed.ts";
import { SIDE } from "../../protocol/words.ts";
import type { MarketRow } from "../state/schema.ts";
import type { State } from "../state/state.ts";

/**
 * Average price of filling the impact notional on one side of the book (FND-1), in 1e-8 USD, rounded toward the mid (down
 * for bids, up for asks); 0 where the book is not deep enough. Cost: once per order up to the notional.
 */
export function getImpactPrice(state: State, market: MarketRow, side: number): number {
  const { orders } = state;
  const rules = state.parameters[market]!;
  const book = state.books[market]!;
  let left: number = rules.impactNotional;
  let price = side === SIDE.buy ? book.bestBid : book.bestAsk;
  let lots = 0;
  let spent = 0;
  while (price !== 0 && left > 0) {
    const perLot = price * rules.tickLotValue;
    for (let order = book.head(price); order !== NONE && left > 0; order = orders.levelNext[order]) {
      const whole = Math.ceil(left / perLot);
      const taken = orders.remaining[order] < whole ? orders.remaining[order] : whole;
      lots += taken;
      spent += taken * perLot;
      left -= taken * perLot;
    }
    price = side === SIDE.buy ? book.below(price) : book.above(price);
  }
  if (left > 0 || lots === 0) return 0;
  // spent / lots is the value of a lot, ticks * tickLotValue; in 1e-8 USD: * tickSize / tickLotValue.
  const divide = side === SIDE.buy ? mulDivFloor : mulDivCeil;
  return divide(spent, rules.tickSize, lots * rules.tickLotValue);
}

/**
 * Greatest premium of a sample, 1,000 %: above six times any initial rate, so above every rate that is paid (FND-2). It
 * keeps a sample storable where an index collapses under bids that still stand.
 */
const PREMIUM_MOST = 10 * PPB;

/**
 * One premium sample (FND-1), ppb, toward zero, at most `PREMIUM_MOST` either way:
 *
 *     (max(0, impactBid - index) - max(0, index - impactAsk)) / index
 */
export function getPremium(state: State, market: MarketRow): number {
  const index = state.markets.index[market];
  const bid = getImpactPrice(state, market, SIDE.buy);
  const ask = getImpactPrice(state, market, SIDE.sell);
  const above = bid === 0 || bid < index ? 0 : bid - index;
  const below = ask === 0 || ask > index ? 0 : index - ask;
  const premium = mulDivTrunc(above - below, PPB, index);
  if (Math.abs(premium) <= PREMIUM_MOST) return premium;
  return above > below ? PREMIUM_MOST : -PREMIUM_MOST;
}
