import { type Static, Type } from "typebox";
import type { Context } from "../../client/strategy/context.ts";
import type { Side } from "../../client/strategy/facts.ts";
import { defineStrategy } from "../../client/strategy/strategy.ts";

const Params = Type.Object({
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
});

interface Memory {
  /** Last price at which the orders were checked; 0 if they are to be checked whatever the price is. */
  checkedAt: number;
}

/**
 * Makes a market: one bid and one ask around the last price. Both move against the present position, so that the next
 * fill tends to reduce it. Orders only ever rest (post-only) and are moved only when they are too far from their
 * target, because every move gives up the place in the queue.
 *
 * It has no `onBlock`: a trade at an unchanged price is no reason to check anything. In a market that has bars and no
 * trades it follows their closes.
 */
export default defineStrategy({
  id: "maker",
  title: "Simple market maker: a bid and an ask around the last price",
  params: Params,

  init: (): Memory => ({ checkedAt: 0 }),

  onTrade(ctx, { market, price }) {
    if (market === ctx.market.name) follow(ctx, price);
  },

  onBar(ctx, { market, close }) {
    if (market === ctx.market.name) follow(ctx, close);
  },

  // After each of these an order may be missing, or belongs elsewhere.
  onFill: ({ memory }) => void (memory.checkedAt = 0),
  onReject: ({ memory }) => void (memory.checkedAt = 0),
  onCancel({ memory }, { cause }) {
    if (cause !== "owner") memory.checkedAt = 0;
  },
});

/** Checks both orders once the last price has moved by more than the tolerance. */
function follow(ctx: Context<Static<typeof Params>, Memory>, last: number): void {
  const { account, market, memory, params } = ctx;
  const bps = last / 10_000;
  const isNear = Math.abs(last - memory.checkedAt) <= params.tolerance * bps;
  if (isNear || account.inFlight > 0) return;
  memory.checkedAt = last;
  const capital = Math.max(0, account.equity) * market.leverage;
  if (capital === 0) {
    // Nothing carries an order any more. The venue liquidates what is still held.
    if (account.orders().length > 0) ctx.cancelAll();
    return;
  }
  const size = market.roundSize((capital * params.share) / last);
  const held = (account.position().size * last) / (capital * params.most);
  ctx.metric("held over largest", held);

  const centre = last - held * params.lean * bps;
  quote("buy", market.roundPrice(Math.min(centre - params.distance * bps, last - market.tickSize), "down"));
  quote("sell", market.roundPrice(Math.max(centre + params.distance * bps, last + market.tickSize), "up"));

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
}
