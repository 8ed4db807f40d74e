import { NONE } from "../../../ground/collections/table.ts";
import { FLAG_SELL } from "../../../venue/engine/state/schema.ts";
import { listMarkets, listOrders } from "../../../venue/engine/state/walk.ts";
import { defineInvariant } from "../machinery/defineInvariant.ts";
import { near } from "../machinery/tally.ts";

export const bookUncrossed = defineInvariant({
  id: "bookUncrossed",
  sentence: "No book is crossed or locked: the best bid is below the best ask.",
  rules: ["ORD-8"],
  catalogue: ["B01"],
  when: "transaction",
  slack: "ticks",
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
  sweep(state, step) {
    const { orders, positions, markets } = state;
    const bids = new Float64Array(markets.rows.high);
    const asks = new Float64Array(markets.rows.high).fill(Number.POSITIVE_INFINITY);
    for (const row of listOrders(state)) {
      const market = positions.market[orders.position[row]!]!;
      const price = orders.price[row]!;
      if ((orders.flags[row]! & FLAG_SELL) === 0) bids[market] = Math.max(bids[market]!, price);
      else asks[market] = Math.min(asks[market]!, price);
    }
    for (const market of listMarkets(state)) {
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
