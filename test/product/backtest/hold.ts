import { Type } from "typebox";
import { defineStrategy } from "../../../src/client/strategy/strategy.ts";

/** Buys what leverage allows after the first block, and holds it whatever comes. */
export const hold = defineStrategy({
  id: "hold",
  params: Type.Object({
    share: Type.Number({ default: 0.9, description: "Share of equity times leverage." }),
  }),
  init(ctx) {
    const { account, market, params } = ctx;
    if (market.mark === undefined) return;
    const size = market.roundSize((account.equity * market.leverage * params.share) / market.mark);
    ctx.place({ side: "buy", size, slippage: 0.005 });
  },
});
