import { Type } from "typebox";
import type { Context } from "../../../src/client/strategy/context.ts";
import type { Bar, Trade } from "../../../src/client/strategy/facts.ts";
import { type AnyStrategy, defineStrategy } from "../../../src/client/strategy/strategy.ts";

const SOURCES = ["mark", "index", "last"] as const;

/**
 * Opens positions with stops and take-profits at any of the three prices, near and far, and reads nothing that prices
 * move: only what the run needs itself makes blocks.
 */
export function createProtector(hook: "onBar" | "onTrade"): AnyStrategy {
  const protector = defineStrategy({
    id: "protector",
    params: Type.Object({ pace: Type.Number({ default: 3, description: "One call in so many acts." }) }),
    onFill: (ctx, fill) => ctx.log(JSON.stringify(fill)),
    onIntent: (ctx, change) => ctx.log(JSON.stringify(change)),
    onCancel: (ctx, cancellation) => ctx.log(JSON.stringify(cancellation)),
    onLiquidation: (ctx, liquidation) => ctx.log(JSON.stringify(liquidation)),
    onReject: (ctx, rejection) => ctx.log(JSON.stringify(rejection)),
  });
  const act = (ctx: Context<{ pace: number }>, price: number, market: string) => {
    if (ctx.rng.below(5 * ctx.params.pace) === 0) protect(ctx, price, market);
  };
  const hooks = {
    onBar: (ctx: Context<{ pace: number }>, { market, close }: Bar) => act(ctx, close, market),
    onTrade: (ctx: Context<{ pace: number }>, { market, price }: Trade) => act(ctx, price, market),
  };
  return { ...protector, [hook]: hooks[hook] } as AnyStrategy;
}

function protect(ctx: Context, last: number, name: string): void {
  const { account, markets, rng } = ctx;
  const market = markets.find((one) => one.name === name)!;
  const size = Math.max(market.lotSize, market.roundSize((account.collateral * market.leverage * 0.1) / last));
  const side = rng.chance(1, 2) ? "buy" : "sell";
  const way = side === "buy" ? 1 : -1;
  const away = () => Math.max(1, Math.round(last * rng.pick([0.0005, 0.002, 0.01, 0.05])));
  const leg = (trigger: number) => ({ trigger: Math.max(1, trigger), source: rng.pick(SOURCES) });
  const stop = () => leg(Math.round(last) - way * away());
  const takeProfit = () => leg(Math.round(last) + way * away());
  switch (rng.below(6)) {
    case 0:
      ctx.place({ side, size, market: name, stop: stop(), takeProfit: takeProfit() });
      break;
    case 1:
      ctx.place({ side, size, price: Math.max(1, Math.round(last) - way * 3), market: name, stop: stop() });
      break;
    case 2:
      ctx.protect({ market: name, side: side === "buy" ? "sell" : "buy", stop: stop(), takeProfit: takeProfit() });
      break;
    case 3:
      ctx.stop({
        market: name,
        side,
        size,
        reduceOnly: false,
        ...leg(Math.round(last) + way * away()),
        ...(rng.chance(1, 3) ? { untilMs: ctx.now.timeMs + rng.pick([30_000, 3_600_000, 90_000_000]) } : {}),
      });
      break;
    case 4:
      ctx.place({ side, size, market: name });
      break;
    default:
      ctx.cancelAll(name, { intents: rng.chance(1, 2) });
  }
}
