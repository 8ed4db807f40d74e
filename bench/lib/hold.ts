import { Type } from "typebox";
import { defineStrategy } from "../../src/client/strategy/strategy.ts";

/** Buys once, in the first market that has a mark, and holds: margin and funding are at work in every block. */
export const hold = defineStrategy({
  id: "hold",
  params: Type.Object({}),
  init(ctx) {
    const market = ctx.markets.find(({ mark }) => mark !== undefined);
    if (market?.mark === undefined) return;
    ctx.place({ side: "buy", market: market.name, size: market.roundSize(1_000 / market.mark) });
  },
});
