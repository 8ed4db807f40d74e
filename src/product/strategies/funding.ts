import { SMA } from "trading-signals";
import { Type } from "typebox";
import { defineStrategy } from "../../client/strategy/strategy.ts";

/**
 * Harvests funding. In every market of the data it holds the side that is paid while the average of the last
 * settlements is high enough, and nothing else. Prices are not hedged: the report's attribution shows how much of the
 * result was funding and how much was luck.
 */
export default defineStrategy({
  id: "funding",
  title: "Funding harvest: hold the side that is paid while it is paid well",
  params: Type.Object({
    settlements: Type.Integer({ default: 9, minimum: 1, description: "Settlements to average over." }),
    enter: Type.Number({
      default: 0.00015,
      exclusiveMinimum: 0,
      description: "Average rate of a settlement from which to hold a position.",
    }),
    leave: Type.Number({ default: 0.00005, minimum: 0, description: "Average rate below which to give it up." }),
    share: Type.Number({
      default: 0.5,
      exclusiveMinimum: 0,
      maximum: 0.95,
      description: "Share of equity times leverage to hold, over all markets.",
    }),
  }),

  init({ markets, params }) {
    return markets.map(() => ({ average: new SMA(params.settlements), seenMs: 0 }));
  },

  onBlock(ctx) {
    const { account, markets, memory, params } = ctx;
    for (const [at, market] of markets.entries()) {
      const own = memory[at]!;
      const { fundingTimeMs = 0, fundingRate, mark, name } = market;
      if (fundingTimeMs <= own.seenMs || mark === undefined) continue;
      own.seenMs = fundingTimeMs;
      own.average.add(fundingRate);
      const rate = own.average.getResult();
      if (rate === null) continue;
      ctx.metric(`${name} average rate`, rate);

      const { size } = account.position(name);
      // Longs pay when the rate is positive: the short is the side that is paid.
      const paid = -Math.sign(rate);
      if (size !== 0) {
        if (Math.sign(size) !== paid || Math.abs(rate) < params.leave) ctx.close({ market: name });
      } else if (Math.abs(rate) >= params.enter) {
        const notional = (account.equity * market.leverage * params.share) / markets.length;
        const order = market.roundSize(notional / mark);
        if (order > 0) ctx.place({ market: name, side: paid > 0 ? "buy" : "sell", size: order, slippage: 0.005 });
      }
    }
  },
});
