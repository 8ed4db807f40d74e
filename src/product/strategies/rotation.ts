import { Type } from "typebox";
import type { MarketView } from "../../client/strategy/context.ts";
import { defineStrategy } from "../../client/strategy/strategy.ts";

/**
 * Momentum rotation over all markets of the data. Once a day, or as often as `every` says, it ranks them by their
 * return over the last hours. It is then long in the best and short in the worst (or flat). It puts the same value into
 * each. If all markets fall together, both sides lose less than one side alone. The cost is the funding of a crowded
 * side.
 */
export default defineStrategy({
  id: "rotation",
  title: "Momentum rotation over several markets: long in the best, short in the worst",
  params: Type.Object({
    hours: Type.Integer({ default: 72, minimum: 2, maximum: 2_000, description: "Hours over which a return counts." }),
    every: Type.String({ default: "1d", description: "Time between two rankings: 4h, 1d, 1w." }),
    hold: Type.Integer({ default: 1, minimum: 1, description: "Markets on each side." }),
    share: Type.Number({
      default: 0.8,
      exclusiveMinimum: 0,
      maximum: 0.95,
      description: "Share of equity times leverage to hold, over all markets.",
    }),
    short: Type.Boolean({ default: true, description: "Whether to go short in the worst markets." }),
  }),

  frames: ["1h"],
  warmUp: ({ hours }) => ({ span: `${hours + 1}h` }),

  init(ctx) {
    ctx.every(ctx.params.every, "rotate");
    return { closes: new Map<string, number[]>(ctx.markets.map(({ name }) => [name, []])) };
  },

  onFrame({ memory, params }, { market, close }) {
    const closes = memory.closes.get(market)!;
    closes.push(close);
    if (closes.length > params.hours + 1) closes.shift();
  },

  onTimer(ctx) {
    const { account, markets, memory, params } = ctx;
    const ranked = markets
      .map((market) => ({ market, change: changeOf(memory.closes.get(market.name)!, params.hours) }))
      .filter((one): one is { market: MarketView; change: number } => one.change !== undefined)
      .sort((a, b) => b.change - a.change);
    const [best, worst] = [ranked[0], ranked.at(-1)];
    if (best === undefined || worst === undefined) return;
    ctx.metric("spread of returns", best.change - worst.change);
    // With fewer markets than two sides need, the better half is held.
    const hold = Math.min(params.hold, Math.floor(ranked.length / 2));
    const sides = params.short ? 2 : 1;
    for (const [place, { market }] of ranked.entries()) {
      const side = place < hold ? 1 : place >= ranked.length - hold && params.short ? -1 : 0;
      const value = (Math.max(0, account.equity) * market.leverage * params.share) / (hold * sides);
      if (market.mark === undefined) continue;
      ctx.setPosition((side * value) / market.mark, { market: market.name });
    }
  },
});

/** Return over the hours that are kept; undefined while there are too few. */
function changeOf(closes: readonly number[], hours: number): number | undefined {
  return closes.length > hours ? closes.at(-1)! / closes[0]! - 1 : undefined;
}
