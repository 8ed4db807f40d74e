import { isPast } from "../orders/checkOrder.ts";
import { enterOrder, type OrderRequest } from "../orders/enterOrder.ts";
import { findOrder } from "../orders/findOrder.ts";
import { shrinkOrder } from "../orders/shrinkOrder.ts";
import { rejected } from "../receipts.ts";
import { actingAccount, type Handler } from "./handler.ts";

/**
 * A smaller size at the same price, or another expiry, changes an order where it stands. Anything else is a new order under
 * the old id (ORD-4).
 */
export const applyAmendOrder: Handler<"amendOrder"> = (state, context, payload) => {
  const account = actingAccount(context);
  const order = findOrder(state, account, payload.orderId, payload.clientOrderId);
  if (typeof order === "string") return rejected(order);
  const { market } = order;
  const { lotSize, tickSize } = market.parameters;
  const size = Number(payload.size) === 0 ? order.remaining * lotSize : BigInt(payload.size);
  const price = Number(payload.price) === 0 ? order.price * tickSize : BigInt(payload.price);
  const goodTilHeight = payload.goodTilHeight === 0 ? order.goodTilHeight : payload.goodTilHeight;
  const goodTilTime = payload.goodTilTime === 0 ? order.goodTilTime : payload.goodTilTime;
  const samePrice = price === order.price * tickSize;
  const newExpiry = goodTilHeight !== order.goodTilHeight || goodTilTime !== order.goodTilTime;
  if (samePrice && size === order.remaining * lotSize && !newExpiry) return rejected("NOTHING_TO_DO");
  if (samePrice && size <= order.remaining * lotSize) {
    if (isPast(state, goodTilHeight, goodTilTime)) return rejected("EXPIRY_PASSED");
    if (size % lotSize !== 0n) return rejected("OFF_LOT");
    shrinkOrder(order, size / lotSize);
    order.goodTilHeight = goodTilHeight;
    order.goodTilTime = goodTilTime;
    return { results: [{ orderId: order.id, status: "amended" }] };
  }
  const request: OrderRequest = {
    id: order.id,
    account,
    grant: order.grant,
    market,
    side: order.side,
    orderType: "limit",
    size,
    price,
    slippage: 0n,
    timeInForce: goodTilHeight !== 0 || goodTilTime !== 0 ? "GTT" : "GTC",
    goodTilHeight,
    goodTilTime,
    postOnly: order.postOnlyMode,
    reduceOnly: order.reduceOnly,
    selfTrade: "cancelTaker",
    selfTradeScope: "account",
    clientOrderId: order.clientOrderId,
  };
  const entered = enterOrder(state, request, { order });
  return "code" in entered ? entered : { results: [entered.result] };
};
