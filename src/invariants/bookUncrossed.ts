import { NONE } from "../collections/table.ts";
import { FLAG_SELL } from "../engine/state/schema.ts";
import { defineInvariant } from "./defineInvariant.ts";
import { listMarkets } from "./exact/walk.ts";
import { near } from "./tally.ts";

export const bookUncrossed = defineInvariant({
  id: "bookUncrossed",
  sentence: "No book is crossed or locked: the best bid is below the best ask.",
  rules: ["ORD-8"],
  catalogue: ["B01"],
  when: "transaction",
  slack: "ticks",
  touched(look) {
    const { state, ledger } = look;
    const { markets } = ledger;
    for (let at = 0; at < markets.count; at++) {
      const { bestBid, bestAsk } = state.books[markets.list[at]!]!;
      if (bestBid === 0 || bestAsk === 0) continue;
      look.met++;
      near(look, bestAsk - bestBid - 1);
      if (bestBid >= bestAsk)
        return `${state.marketNames[markets.list[at]!]}: best bid ${bestBid}, best ask ${bestAsk}`;
    }
    return undefined;
  },
  sweep(state, step) {
    const { orders, positions } = state;
    for (const market of listMarkets(state)) {
      step.met++;
      let bid = 0;
      let ask = Number.POSITIVE_INFINITY;
      for (let row = 0; row < orders.rows.high; row++) {
        if (!orders.rows.isLive(row) || positions.market[orders.position[row as never]!] !== market) continue;
        const price = orders.price[row as never]!;
        if ((orders.flags[row as never]! & FLAG_SELL) === 0) bid = Math.max(bid, price);
        else ask = Math.min(ask, price);
      }
      const name = state.marketNames[market];
      if (bid >= ask) return `${name}: best bid ${bid}, best ask ${ask}`;
      const book = state.books[market]!;
      const least = ask === Number.POSITIVE_INFINITY ? 0 : ask;
      if (book.bestBid !== bid || book.bestAsk !== least) {
        return `${name}: orders say ${bid} and ${least}, the book says ${book.bestBid} and ${book.bestAsk}`;
      }
      if (bid !== 0 && book.head(bid as never) === NONE) return `${name}: no order at the best bid`;
    }
    return undefined;
  },
});
