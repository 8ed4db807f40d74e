import type { Payloads } from "../../../protocol/actions/index.ts";
import { type DemandOf, tradeOr } from "../authorization/demand.ts";
import { findMarket } from "../market/createMarket.ts";
import { enterOrder, type OrderRequest } from "../orders/enterOrder.ts";
import { rejected } from "../receipts.ts";
import type { Context, ModelState } from "../state.ts";
import { ORDER_TYPES, POST_ONLY_MODES, SELF_TRADE_MODES, SELF_TRADE_SCOPES, SIDES, TIMES_IN_FORCE } from "../words.ts";
import { actingAccount, type Handler, type ModelAction } from "./handler.ts";

/** A payload's order as a request; undefined if its market does not exist. */
export function readOrder(
  state: ModelState,
  context: Context,
  payload: Payloads["placeOrder"],
  id: number,
): OrderRequest | undefined {
  const market = findMarket(state, payload.market);
  if (market === undefined) return undefined;
  return {
    id,
    account: actingAccount(context),
    grant: context.actor?.grant,
    market,
    side: SIDES[payload.side] ?? "buy",
    orderType: ORDER_TYPES[payload.orderType] ?? "limit",
    sizeE8: BigInt(payload.size),
    price: BigInt(payload.price),
    slippage: BigInt(payload.slippage),
    timeInForce: TIMES_IN_FORCE[payload.timeInForce] ?? "GTC",
    goodTilHeight: payload.goodTilHeight,
    goodTilTime: payload.goodTilTime,
    postOnly: POST_ONLY_MODES[payload.postOnly] ?? "no",
    reduceOnly: payload.reduceOnly,
    selfTrade: SELF_TRADE_MODES[payload.selfTrade] ?? "cancelTaker",
    selfTradeScope: SELF_TRADE_SCOPES[payload.selfTradeScope] ?? "account",
    clientOrderId: payload.clientOrderId,
  };
}

const demand: DemandOf<"placeOrder"> = ({ market, reduceOnly }) => ({ scope: tradeOr(reduceOnly), markets: [market] });

/** ORD. */
const apply: Handler<"placeOrder"> = (state, context, payload) => {
  const request = readOrder(state, context, payload, context.firstId);
  if (request === undefined) return rejected("MARKET_NOT_FOUND");
  const entered = enterOrder(state, request);
  return "code" in entered ? entered : { results: [entered.result] };
};

export const placeOrder: ModelAction<"placeOrder"> = { domain: "trading", demand, apply };
