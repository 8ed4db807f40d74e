import { Type } from "typebox";
import type { Context } from "../../../src/client/strategy/context.ts";
import { type AnyStrategy, defineStrategy } from "../../../src/client/strategy/strategy.ts";

/**
 * Trades at random with everything that a context has, and logs what it sees, except heights: they count blocks.
 *
 * @param hook where it decides
 */
export function createDecider(hook: "onBar" | "onTrade" | "onBlock"): AnyStrategy {
  const decider = defineStrategy({
    id: "decider",
    params: Type.Object({ pace: Type.Number({ default: 3, description: "One call in so many acts." }) }),
    init(ctx) {
      if (ctx.rng.chance(1, 4)) ctx.every(ctx.rng.pick([7_100_000, 40_000_000]));
      return { calls: 0 };
    },
    onTimer(ctx, timer) {
      ctx.log(JSON.stringify(timer));
      if (ctx.rng.chance(1, 6)) decide(ctx);
    },
    onFill: (ctx, fill) => ctx.log(JSON.stringify(fill)),
    onFunding: (ctx, funding) => ctx.log(JSON.stringify(funding)),
    onCancel: (ctx, cancellation) => ctx.log(JSON.stringify(cancellation)),
    onLiquidation: (ctx, liquidation) => ctx.log(JSON.stringify(liquidation)),
    onIntent: (ctx, intent) => ctx.log(JSON.stringify(intent)),
    onReject: (ctx, rejection) => ctx.log(JSON.stringify(rejection)),
    onEnd: (ctx) => ctx.log(JSON.stringify(see(ctx, 7))),
  });
  const act = (ctx: Context<{ pace: number }, { calls: number }>) => {
    ctx.memory.calls++;
    if (ctx.rng.below(ctx.params.pace) === 0) decide(ctx);
  };
  return { ...decider, [hook]: act } as AnyStrategy;
}

/**
 * Trades seldom, and logs all that it sees at every call, with the views that it kept of the call before: they are of
 * their time.
 *
 * @param hook where it looks
 */
export function createOnlooker(hook: "onBar" | "onTrade"): AnyStrategy {
  const onlooker = defineStrategy({
    id: "onlooker",
    params: Type.Object({ pace: Type.Number({ default: 3, description: "Unused." }) }),
    init: () => ({ kept: [] as unknown[], text: "[]" }),
    onFunding: (ctx) => ctx.log(JSON.stringify(see(ctx, 7))),
  });
  const look = (ctx: Context<unknown, { kept: unknown[]; text: string }>) => {
    const { memory, account, markets } = ctx;
    ctx.log(JSON.stringify(see(ctx, 7)));
    if (JSON.stringify(memory.kept) !== memory.text) throw new Error(`a kept view has changed: ${memory.text}`);
    memory.kept = markets.map((market) => [account.position(market.name), market.depth("buy")]);
    memory.text = JSON.stringify(markets.map((market) => [account.position(market.name), market.depth("buy")]));
    if (ctx.rng.chance(1, 15)) decide(ctx as Context);
  };
  return { ...onlooker, [hook]: look } as AnyStrategy;
}

/** What a strategy sees, each part in some calls only. */
function see({ now, markets, account }: Context, parts: number): unknown {
  return [
    now.timeMs,
    account.inFlight,
    account.collateral,
    account.orders(),
    parts & 1 ? [account.equity, account.free, account.marginRatio, account.liquidationPrice] : [],
    parts & 2 ? markets.map(({ name, mark, index, last }) => [mark, index, last, account.position(name)]) : [],
    parts & 4
      ? markets.map((market) => [market.bestBid, market.bestAsk, market.depth("buy"), market.depth("sell", 2)])
      : [],
    markets.map(({ fundingRate, fundingTimeMs, leverage }) => [fundingRate, fundingTimeMs, leverage]),
  ];
}

function decide(ctx: Context): void {
  const { account, rng } = ctx;
  if (rng.chance(1, 3)) ctx.log(JSON.stringify(see(ctx, rng.below(8))));
  const market = rng.pick(ctx.markets);
  const { last, name } = market;
  if (last === undefined) return;
  const most = (Math.max(0, account.collateral) * market.leverage) / last;
  const size = Math.max(market.lotSize, market.roundSize((most * rng.between(1, 70)) / 100));
  const side = rng.chance(1, 2) ? "buy" : "sell";
  const distance = rng.pick([0, 2, 20, 400]) * market.tickSize;
  const price = Math.max(market.tickSize, market.roundPrice(last + (side === "buy" ? -distance : distance)));
  const [oldest] = account.orders();
  switch (rng.below(17)) {
    case 0:
    case 1:
      ctx.place({ side, size, market: name });
      break;
    case 2:
    case 3:
    case 4:
      ctx.place({ side, size, price, market: name, postOnly: rng.chance(1, 2) });
      break;
    case 5:
      ctx.place({ side, size, price, market: name, reduceOnly: true });
      break;
    case 6:
      if (oldest !== undefined) ctx.amend(oldest.id, { price });
      break;
    case 7:
      if (oldest !== undefined) ctx.cancel(oldest.id);
      else ctx.cancel("nothing");
      break;
    case 8:
      ctx.close({ market: name, slippage: 0.02 });
      break;
    case 9:
      ctx.cancelAll();
      break;
    case 10:
      ctx.place({ side, size: market.lotSize / 10, market: name });
      break;
    case 11:
      ctx.setLeverage(rng.between(1, 12), name);
      if (rng.chance(1, 3)) ctx.setMarginMode(rng.pick(["cross", "isolated"] as const), name);
      if (rng.chance(1, 3)) ctx.addMargin(Math.max(1, Math.floor(account.collateral / 20)), name);
      break;
    case 12: {
      const away = last * rng.pick([0.002, 0.01, 0.05]);
      const stop = side === "buy" ? last - away : last + away;
      ctx.place({
        side,
        size,
        market: name,
        stop: Math.round(stop),
        takeProfit: { trigger: Math.round(2 * last - stop) },
      });
      break;
    }
    case 13:
      ctx.trailingStop({
        trailRate: rng.pick([0.003, 0.03]),
        market: name,
        source: rng.pick(["mark", "last", "index"] as const),
      });
      break;
    case 14: {
      const [armed] = account.intents();
      if (armed !== undefined) ctx.cancelIntent(armed.id);
      ctx.cancelAll(undefined, { intents: true });
      break;
    }
    case 15:
      ctx.setPosition(0, { market: name });
      break;
    default:
      ctx.setPosition(side === "buy" ? size : -size, { market: name, slippage: 0.05 });
  }
}
