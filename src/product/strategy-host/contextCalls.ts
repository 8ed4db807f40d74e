import type {
  Amendment,
  CloseRequest,
  Context,
  MarginMode,
  OrderRequest,
  PositionRequest,
  ProtectRequest,
  TrailRequest,
  TriggerRequest,
} from "../../client/strategy/context.ts";
import type { Side } from "../../client/strategy/facts.ts";
import { MarketList } from "../../client/strategy/marketList.ts";
import type { Span } from "../../client/strategy/spans.ts";

/** A call that a client makes while a hook runs. */
export interface ContextCall {
  /**
   * Whether it may change what happens to the account, or when a hook is called. Then other hooks may come between the
   * bars that were sent ahead.
   */
  readonly acts: boolean;
  call(ctx: Context, args: readonly unknown[]): unknown;
}

const read = (call: ContextCall["call"]): ContextCall => ({ acts: false, call });
const act = (call: ContextCall["call"]): ContextCall => ({ acts: true, call });

/** Reads and actions by their name in an `ask`. Arguments have the names of fields of `Context`. */
export const CONTEXT_CALLS: Readonly<Record<string, ContextCall>> = {
  account: read(({ account }) => [account.equity, account.collateral, account.free, account.marginRatio]),
  position: read(({ account }, [market]) => {
    const { size, entry, unrealized, liquidationPrice, isolatedMargin } = account.position(text(market));
    return [size, entry, unrealized, liquidationPrice, isolatedMargin];
  }),
  orders: read(({ account }, [market]) => account.orders(text(market))),
  intents: read(({ account }, [market]) => account.intents(text(market))),
  inFlight: read(({ account }) => account.inFlight),
  height: read(({ now }) => now.height),
  prices: read((ctx, [market]) => {
    const { mark, index, last, bestBid, bestAsk } = find(ctx, market);
    return [mark, index, last, bestBid, bestAsk];
  }),
  terms: read((ctx, [market]) => {
    const { fundingRate, fundingTimeMs, leverage, marginMode, takerFee, makerFee } = find(ctx, market);
    return [fundingRate, fundingTimeMs, leverage, marginMode, takerFee, makerFee];
  }),
  smallestSize: read((ctx, [market]) => find(ctx, market).smallestSize),
  roundSize: read((ctx, [market, size]) => find(ctx, market).roundSize(size as number)),
  series: read((ctx, [name, market, count]) =>
    ctx
      .series(name as string, text(market))
      .recent(count as number)
      .map(({ value, exact, timeMs, knownMs }) => [value, exact, timeMs, knownMs]),
  ),
  depth: read((ctx, [market, side, levels]) => find(ctx, market).depth(side as Side, levels as number)),

  place: act((ctx, [order]) => ctx.place(order as OrderRequest)),
  amend: act((ctx, [id, change]) => ctx.amend(id as string, change as Amendment)),
  cancel: act((ctx, [id]) => ctx.cancel(id as string)),
  cancelAll: act((ctx, [market, intents]) => ctx.cancelAll(text(market), { intents: intents === true })),
  stop: act((ctx, [request]) => ctx.stop(request as TriggerRequest)),
  takeProfit: act((ctx, [request]) => ctx.takeProfit(request as TriggerRequest)),
  trailingStop: act((ctx, [request]) => ctx.trailingStop(request as TrailRequest)),
  protect: act((ctx, [request]) => ctx.protect(request as ProtectRequest)),
  cancelIntent: act((ctx, [id]) => ctx.cancelIntent(id as string)),
  close: act((ctx, [request]) => ctx.close(request as CloseRequest)),
  setPosition: act((ctx, [size, request]) => ctx.setPosition(size as number, request as PositionRequest)),
  setLeverage: act((ctx, [leverage, market]) => ctx.setLeverage(leverage as number, text(market))),
  setMarginMode: act((ctx, [mode, market]) => ctx.setMarginMode(mode as MarginMode, text(market))),
  addMargin: act((ctx, [amount, market]) => ctx.addMargin(amount as number, text(market))),
  removeMargin: act((ctx, [amount, market]) => ctx.removeMargin(amount as number, text(market))),
  every: act((ctx, [span, name]) => ctx.every(span as Span, text(name))),
  after: act((ctx, [span, name]) => ctx.after(span as Span, name as string)),
  at: act((ctx, [timeMs, name]) => ctx.at(timeMs as number, name as string)),
  stopTimer: act((ctx, [name]) => ctx.stopTimer(name as string)),

  metric: read((ctx, [name, value]) => ctx.metric(name as string, value as number)),
  log: read((ctx, [line]) => ctx.log(String(line))),
};

/** An optional name: MessagePack has null where TypeScript has undefined. */
function text(value: unknown): string | undefined {
  return value === null || value === undefined ? undefined : (value as string);
}

function find({ markets }: Context, name: unknown) {
  return new MarketList(markets).find(text(name));
}
