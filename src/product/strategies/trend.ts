import { ATR, EMA } from "trading-signals";
import { Type } from "typebox";
import { defineStrategy } from "../../client/strategy/strategy.ts";

/**
 * Follows the trend: long while a fast average of closes is above a slow one, short (or flat) while it is below. The
 * position is a share of what equity and leverage allow, and is brought back to it when it has drifted away. A market
 * that turns faster than the averages can liquidate it.
 */
export default defineStrategy({
  id: "trend",
  title: "Trend following with leverage: two moving averages of the closes",
  params: Type.Object({
    fast: Type.Integer({ default: 24, minimum: 2, description: "Bars of the fast average." }),
    slow: Type.Integer({ default: 96, minimum: 3, description: "Bars of the slow average." }),
    patience: Type.Number({
      default: 1,
      minimum: 0,
      description: "How far apart the averages must be, in average true ranges, before the side changes.",
    }),
    share: Type.Number({
      default: 0.9,
      exclusiveMinimum: 0,
      maximum: 0.95,
      description: "Share of equity times leverage to hold.",
    }),
    drift: Type.Number({
      default: 0.25,
      minimum: 0.01,
      maximum: 1,
      description:
        "Greatest distance of the position from its target, as a share of the target, before it is corrected.",
    }),
    short: Type.Boolean({ default: true, description: "Whether to go short in a falling market." }),
  }),

  init({ params }) {
    return { fast: new EMA(params.fast), slow: new EMA(params.slow), range: new ATR(params.fast), side: 0 };
  },

  onBar(ctx, { market: name, high, low, close }) {
    const { memory, params, account, market } = ctx;
    if (name !== market.name) return;
    memory.fast.add(close);
    memory.slow.add(close);
    memory.range.add({ high, low, close });
    const fast = memory.fast.getResult();
    const slow = memory.slow.getResult();
    const range = memory.range.getResult();
    if (fast === null || slow === null || range === null || account.inFlight > 0) return;

    if (fast - slow > params.patience * range) memory.side = 1;
    else if (slow - fast > params.patience * range) memory.side = params.short ? -1 : 0;

    const { size } = account.position();
    if (size !== 0 && Math.sign(size) !== memory.side) {
      ctx.close();
      return;
    }
    const wanted = memory.side * Math.max(0, account.equity) * market.leverage * params.share;
    const missing = wanted / close - size;
    if (Math.abs(missing) <= params.drift * Math.abs(wanted / close)) return;
    const order = market.roundSize(Math.abs(missing));
    if (order > 0) ctx.place({ side: missing > 0 ? "buy" : "sell", size: order, slippage: 0.005 });
  },
});
