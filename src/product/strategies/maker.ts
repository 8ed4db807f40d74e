import { Type } from "typebox";
import type { Side } from "../../client/strategy/facts.ts";
import { defineStrategy } from "../../client/strategy/strategy.ts";

/**
 * Makes a market: one bid and one ask around the last price, moved against what it already holds, so that the next fill
 * rather brings the position back. Orders only ever rest (post-only) and are moved when they are too far from where they
 * should be, because every move gives up the place in the queue.
 */
export default defineStrategy({
  id: "maker",
  title: "Simple market maker: a bid and an ask around the last price",
  params: Type.Object({
    distance: Type.Number({ default: 2, exclusiveMinimum: 0, description: "From the last price, basis points." }),
    tolerance: Type.Number({ default: 1, minimum: 0, description: "How far an order may be off, basis points." }),
    share: Type.Number({
      default: 0.05,
      exclusiveMinimum: 0,
      maximum: 0.5,
      description: "Value of an order, as a share of equity times leverage.",
    }),
    most: Type.Number({
      default: 0.5,
      exclusiveMinimum: 0,
      maximum: 0.9,
      description: "Value of the largest position, as a share of equity times leverage.",
    }),
    lean: Type.Number({
      default: 2,
      minimum: 0,
      description: "Basis points by which the largest position moves both prices away from it.",
    }),
  }),

  onBlock(ctx) {
    const { account, market, params } = ctx;
    const { last } = market;
    if (last === undefined || account.inFlight > 0) return;
    const capital = Math.max(0, account.equity) * market.leverage;
    if (capital === 0) {
      // Nothing carries an order any more. The venue liquidates what is still held.
      if (account.orders().length > 0) ctx.cancelAll();
      return;
    }
    const size = market.roundSize((capital * params.share) / last);
    const held = (account.position().size * last) / (capital * params.most);
    ctx.metric("held over largest", held);

    const bps = last / 10_000;
    const centre = last - held * params.lean * bps;
    quote(
      "buy",
      market.roundPrice(Math.min(centre - params.distance * bps, (market.bestAsk ?? last) - market.tickSize), "down"),
    );
    quote(
      "sell",
      market.roundPrice(Math.max(centre + params.distance * bps, (market.bestBid ?? last) + market.tickSize), "up"),
    );

    function quote(side: Side, price: number): void {
      const resting = account.orders().find((order) => order.side === side);
      const full = side === "buy" ? held >= 1 : held <= -1;
      if (full || size === 0) {
        if (resting !== undefined) ctx.cancel(resting.id);
      } else if (resting === undefined) {
        ctx.place({ side, size, price, postOnly: true });
      } else if (Math.abs(resting.price - price) > params.tolerance * bps) {
        ctx.cancel(resting.id);
        ctx.place({ side, size, price, postOnly: true });
      }
    }
  },
});
