import { abs, min } from "../arithmetic.ts";
import { findMarket } from "../market/createMarket.ts";
import { enterOrder } from "../orders/enterOrder.ts";
import { rejected } from "../receipts.ts";
import { actingAccount, type Handler } from "./handler.ts";

/** A reduce-only IOC on the other side, for all of a position or a part of it (ORD-2). */
export const applyClosePosition: Handler<"closePosition"> = (state, context, payload) => {
  const market = findMarket(state, payload.market);
  if (market === undefined) return rejected("MARKET_NOT_FOUND");
  const account = actingAccount(context);
  const size = account.positions.get(market.ordinal)?.size ?? 0n;
  const whole = abs(size) * market.parameters.lotSize;
  const entered = enterOrder(state, {
    id: context.firstId,
    account,
    grant: context.actor?.grant,
    market,
    side: size > 0n ? "sell" : "buy",
    orderType: "market",
    size: Number(payload.size) === 0 ? whole : min(BigInt(payload.size), whole),
    price: BigInt(payload.price),
    slippage: BigInt(payload.slippage),
    timeInForce: "IOC",
    goodTilHeight: 0,
    goodTilTime: 0,
    postOnly: "no",
    reduceOnly: true,
    selfTrade: "cancelTaker",
    selfTradeScope: "account",
    clientOrderId: payload.clientOrderId,
  });
  if (size === 0n && "code" in entered) return rejected("POSITION_NOT_FOUND");
  return "code" in entered ? entered : { results: [entered.result] };
};
