import { NONE } from "../../../ground/collections/table.ts";
import { FLAG_SELL, type MarketRow, type OrderRow } from "../../../venue/engine/state/schema.ts";
import { defineInvariant } from "../machinery/defineInvariant.ts";
import { near } from "../machinery/tally.ts";

/** Best prices by market, for sweeps; 0 for no bid, Infinity for no ask. */
interface Best {
  readonly bids: number[];
  readonly asks: number[];
}

export const bookUncrossed = defineInvariant<Best>({
  id: "bookUncrossed",
  sentence: "No book is crossed or locked: the best bid is below the best ask.",
  rules: ["ORD-8"],
  catalogue: ["B01"],
  when: "transaction",
  skipsEmptySteps: true,
  slack: "ticks",
  start: (_state, spare = { bids: [], asks: [] }) => spare,
  touched(moment) {
    const { state, ledger } = moment;
    const { markets } = ledger;
    for (let at = 0; at < markets.count; at++) {
      const { bestBid, bestAsk } = state.books[markets.list[at]!]!;
      if (bestBid === 0 || bestAsk === 0) continue;
      moment.met++;
      near(moment, bestAsk - bestBid - 1);
      if (bestBid >= bestAsk)
        return `${state.marketNames[markets.list[at]!]}: best bid ${bestBid}, best ask ${bestAsk}`;
    }
    return undefined;
  },
  sweep(state, step, { bids, asks }) {
    const { orders, positions, markets } = state;
    for (let market = 0; market < markets.rows.high; market++) {
      bids[market] = 0;
      asks[market] = Number.POSITIVE_INFINITY;
    }
    for (let row = 0 as OrderRow; row < orders.rows.high; row++) {
      if (!orders.rows.isLive(row)) continue;
      const market = positions.market[orders.position[row]];
      const price: number = orders.price[row];
      if ((orders.flags[row] & FLAG_SELL) === 0) bids[market] = Math.max(bids[market]!, price);
      else asks[market] = Math.min(asks[market]!, price);
    }
    for (let market = 0 as MarketRow; market < markets.rows.high; market++) {
      step.met++;
      const bid = bids[market]!;
      const ask = asks[market]!;
      const name = state.marketNames[market];
      if (bid >= ask) return `${name}: best bid ${bid}, best ask ${ask}`;
      const book = state.books[market]!;
      const least = ask === Number.POSITIVE_INFINITY ? 0 : ask;
      if (book.bestBid !== bid || book.bestAsk !== least) {
        return `${name}: the best orders are at ${bid} and ${least}, the book has ${book.bestBid} and ${book.bestAsk}`;
      }
      if (bid !== 0 && book.head(bid as never) === NONE) return `${name}: no order at the best bid`;
    }
    return undefined;
  },
});
