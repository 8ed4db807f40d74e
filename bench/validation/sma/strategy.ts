import { defineStrategy, Type } from "../../../src/client/strategy/index.ts";

/** Always in the market, on the side of the faster of two means: one bitcoin, or a share of equity times leverage. */
export const movingAverages = defineStrategy({
  id: "moving-averages",
  params: Type.Object({
    fast: Type.Integer({ default: 24, minimum: 1, description: "Bars of the fast mean." }),
    slow: Type.Integer({ default: 96, minimum: 2, description: "Bars of the slow mean." }),
    size: Type.Number({ default: 1, exclusiveMinimum: 0, description: "Size of the position, where `share` is 0." }),
    share: Type.Number({ default: 0, minimum: 0, maximum: 0.95, description: "Share of equity times leverage." }),
  }),
  init: () => ({ closes: [] as number[], side: 0 }),
  onBar(ctx, { close }) {
    const { account, market, memory, params } = ctx;
    const { closes } = memory;
    closes.push(close);
    if (closes.length > params.slow) closes.shift();
    if (closes.length < params.slow || account.inFlight > 0) return;

    const mean = (bars: number) => closes.slice(-bars).reduce((sum, price) => sum + price, 0) / bars;
    const side = mean(params.fast) > mean(params.slow) ? 1 : -1;
    const { size } = account.position();
    if (side === memory.side && Math.sign(size) === side) return;
    memory.side = side;

    if (size !== 0 && Math.sign(size) !== side) ctx.close({ slippage: 0.01 });
    const whole =
      params.share === 0 ? params.size : (Math.max(0, account.equity) * market.leverage * params.share) / close;
    const order = market.roundSize(Math.sign(size) === side ? whole - Math.abs(size) : whole);
    if (order > 0) ctx.place({ side: side > 0 ? "buy" : "sell", size: order, slippage: 0.01 });
  },
});
