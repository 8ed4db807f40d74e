import { Type } from "typebox";
import { type AnyStrategy, defineStrategy } from "../../src/client/strategy/strategy.ts";

/** Ticks beyond the best price. */
export const AWAY = 2;
/** The most that it holds on a side, in sizes of an order; sizes are doubles. */
const MOST = 10 - 1e-6;
const STEP_MS = 100;

/**
 * A bid and an ask of some lots at or beyond the best prices, checked every 100 ms and replaced where those move. The
 * programs in bench/peers/books quote the same.
 */
export function createQuoter({ away = AWAY, lots = 1 }: { readonly away?: number; readonly lots?: number } = {}) {
  const counts = { decisions: 0, orders: 0, fills: 0, ordersInParts: 0 };
  const filled = new Map<string, number>();
  const strategy = defineStrategy({
    id: "quoter",
    params: Type.Object({}),
    init(ctx) {
      ctx.at(findNext(ctx.now.timeMs), "quote");
    },
    onTimer(ctx) {
      ctx.at(findNext(ctx.now.timeMs), "quote");
      counts.decisions++;
      const market = ctx.markets[0]!;
      const { bestBid, bestAsk, tickSize } = market;
      if (bestBid === undefined || bestAsk === undefined) return;
      const size = lots * market.lotSize;
      const held = (ctx.account.position()?.size ?? 0) / size;
      const orders = ctx.account.orders();
      for (const side of ["buy", "sell"] as const) {
        const price = market.roundPrice(side === "buy" ? bestBid - away * tickSize : bestAsk + away * tickSize);
        const isWanted = side === "buy" ? held < MOST : held > -MOST;
        const resting = orders.find((order) => order.side === side);
        if (resting !== undefined && (resting.price !== price || !isWanted)) ctx.cancel(resting.id);
        if (resting?.price === price || !isWanted) continue;
        counts.orders++;
        ctx.place({ side, size, price, postOnly: true });
      }
    },
    onFill(_ctx, { id }) {
      counts.fills++;
      const parts = (filled.get(id) ?? 0) + 1;
      filled.set(id, parts);
      if (parts === 2) counts.ordersInParts++;
    },
  }) as AnyStrategy;
  return { strategy, counts: counts as Readonly<typeof counts> };
}

const findNext = (timeMs: number) => Math.floor(timeMs / STEP_MS) * STEP_MS + STEP_MS;

/** Decides once a second, and takes the other side of the book in one of twenty. */
export const decider = defineStrategy({
  id: "decider",
  params: Type.Object({}),
  init: (ctx) => ctx.every("1s", "decide"),
  onTimer(ctx) {
    const { bestBid, bestAsk, lotSize } = ctx.markets[0]!;
    if (bestBid === undefined || bestAsk === undefined || !ctx.rng.chance(1, 20)) return;
    const isLong = (ctx.account.position()?.size ?? 0) > 0;
    const [side, price] = isLong ? (["sell", bestBid] as const) : (["buy", bestAsk] as const);
    ctx.place({ side, size: lotSize, price, timeInForce: "IOC" });
  },
}) as AnyStrategy;
