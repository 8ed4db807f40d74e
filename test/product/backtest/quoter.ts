import { Type } from "typebox";
import type { Context } from "../../../src/client/strategy/context.ts";
import type { Bar, Trade } from "../../../src/client/strategy/facts.ts";
import { type AnyStrategy, defineStrategy } from "../../../src/client/strategy/strategy.ts";

/**
 * Rests orders near the price and moves them, at random, and reads nothing that prices move: only what the run needs
 * itself makes blocks. Its orders are large for its collateral, so that some may not trade when they are reached.
 *
 * @param share value of an order, as a share of collateral times leverage
 */
export function createQuoter(hook: "onBar" | "onTrade", share: number): AnyStrategy {
  const quoter = defineStrategy({
    id: "quoter",
    params: Type.Object({ pace: Type.Number({ default: 3, description: "One call in so many acts." }) }),
    init: () => ({ calls: 0 }),
    onFill: (ctx, fill) => ctx.log(JSON.stringify(fill)),
    onFunding: (ctx, funding) => ctx.log(JSON.stringify(funding)),
    onCancel: (ctx, cancellation) => ctx.log(JSON.stringify(cancellation)),
    onLiquidation: (ctx, liquidation) => ctx.log(JSON.stringify(liquidation)),
    onReject: (ctx, rejection) => ctx.log(JSON.stringify(rejection)),
  });
  const act = (ctx: Context<{ pace: number }>, price: number, market: string) => {
    if (ctx.rng.below(ctx.params.pace) === 0) quote(ctx, price, market, share);
  };
  const hooks = {
    onBar: (ctx: Context<{ pace: number }>, { market, close }: Bar) => act(ctx, close, market),
    onTrade: (ctx: Context<{ pace: number }>, { market, price }: Trade) => act(ctx, price, market),
  };
  return { ...quoter, [hook]: hooks[hook] } as AnyStrategy;
}

function quote(ctx: Context, last: number, name: string, share: number): void {
  const { account, markets, rng } = ctx;
  const market = markets.find((one) => one.name === name)!;
  const orders = account.orders(name);
  const size = Math.max(market.lotSize, market.roundSize((account.collateral * market.leverage * share) / last));
  const side = rng.chance(1, 2) ? "buy" : "sell";
  const away = rng.pick([0, 1, 2, 5, 20, 100, 500]) * market.tickSize;
  const price = Math.max(market.tickSize, market.roundPrice(last + (side === "buy" ? -away : away)));
  const [oldest] = orders;
  const change = oldest === undefined ? 0 : rng.below(4);
  if (orders.length > 5) ctx.cancelAll(name);
  else if (change === 1) ctx.cancel(oldest!.id);
  else if (change === 2) ctx.amend(oldest!.id, { price });
  else if (rng.chance(1, 12)) ctx.place({ side, size, market: name });
  else ctx.place({ side, size, price, market: name, postOnly: rng.chance(2, 3), reduceOnly: rng.chance(1, 8) });
}
