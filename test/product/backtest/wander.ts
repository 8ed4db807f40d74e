import { Type } from "typebox";
import type { Context } from "../../../src/client/strategy/context.ts";
import { type AnyStrategy, defineStrategy } from "../../../src/client/strategy/strategy.ts";
import { Random } from "../../../src/ground/math/random.ts";
import { START, type TestEvent } from "./memorySource.ts";

const SECOND = 1_000;

/** A market that wanders, with funding now and then. */
export function wander(seed: number, length: number): TestEvent[] {
  const random = Random.ofSeed([seed]);
  let price = 10_000;
  return Array.from({ length }, (_, place): TestEvent[] => {
    price = Math.max(100, price + random.below(121) - 60);
    const timeMs = START + (place + 1) * 7 * SECOND;
    const side = random.below(2) === 0 ? 1 : -1;
    const events: TestEvent[] = [{ kind: "trade", timeMs, price, size: 1 + random.below(400) / 10, side }];
    if (place % 40 === 39) events.push({ kind: "funding", timeMs, rate: (random.below(21) - 10) / 1e4 });
    if (place % 5 === 0) events.push({ kind: "mark", timeMs, price: price + random.below(11) - 5 });
    return events;
  }).flat();
}

/** Records every input of a strategy. */
export function watching(strategy: AnyStrategy, seen: unknown[]): AnyStrategy {
  const look = ({ now, market, account }: Context) => ({
    ...now,
    market: [
      market.mark,
      market.index,
      market.last,
      market.bestBid,
      market.bestAsk,
      market.leverage,
      market.marginMode,
    ],
    fees: [market.takerFee, market.makerFee, market.tickSize, market.lotSize, market.fundingRate],
    depth: [market.depth("buy", 5), market.depth("sell", 5)],
    account: [account.equity, account.collateral, account.free, account.marginRatio, account.inFlight],
    position: account.position(),
    orders: account.orders(),
    intents: account.intents(),
  });
  return {
    ...strategy,
    onFill(ctx, fill) {
      seen.push(fill);
      strategy.onFill?.(ctx, fill);
    },
    onFunding(ctx, funding) {
      seen.push(funding);
      strategy.onFunding?.(ctx, funding);
    },
    onIntent(ctx, change) {
      seen.push(change);
      strategy.onIntent?.(ctx, change);
    },
    onLiquidation(ctx, liquidation) {
      seen.push(liquidation);
      strategy.onLiquidation?.(ctx, liquidation);
    },
    onReject(ctx, rejection) {
      seen.push(rejection);
      strategy.onReject?.(ctx, rejection);
    },
    onBlock(ctx) {
      seen.push(look(ctx));
      strategy.onBlock?.(ctx);
    },
  };
}

/** Uses everything that a context has, with what is refused among it. */
export const restless = defineStrategy({
  id: "restless",
  params: Type.Object({ pace: Type.Number({ default: 3, description: "Blocks between two actions." }) }),
  init: () => ({ blocks: 0 }),
  onBlock(ctx) {
    const { account, market, memory, params, rng } = ctx;
    if (memory.blocks++ % params.pace !== 0 || market.last === undefined) return;
    const size = market.roundSize(0.5 + rng.below(40) / 10);
    const price = market.roundPrice(market.last + rng.below(41) - 20);
    const [oldest] = account.orders();
    switch (rng.below(9)) {
      case 0:
        ctx.place({ side: "buy", size });
        break;
      case 1:
        ctx.place({ side: "sell", size });
        break;
      case 2:
        if (oldest !== undefined) ctx.amend(oldest.id, { price, size });
        break;
      case 3:
        if (oldest !== undefined) ctx.cancel(oldest.id);
        else ctx.cancel("nothing");
        break;
      case 4:
        if (account.position().size !== 0) ctx.close({ slippage: 0.02 });
        break;
      case 5:
        ctx.cancelAll();
        break;
      case 6:
        ctx.place({ side: "buy", size: market.roundSize(size * 50_000) || size, price, reduceOnly: rng.chance(1, 3) });
        ctx.setLeverage(2 + rng.below(3));
        break;
      default:
        ctx.place({ side: rng.chance(1, 2) ? "buy" : "sell", size, price, postOnly: rng.chance(1, 2) });
    }
  },
});
