import type { RejectionCode } from "../../../protocol/rejections.ts";
import { type DemandOf, findNamed, marketsOf } from "../authorization/demand.ts";
import { emitAmended } from "../orders/book.ts";
import { checkLimits, checkStatus, slidePrice } from "../orders/checkOrder.ts";
import { enterOrder, type OrderRequest } from "../orders/enterOrder.ts";
import { isPast } from "../orders/expiry.ts";
import { findOrder } from "../orders/findOrder.ts";
import { shrinkOrder } from "../orders/shrinkOrder.ts";
import { rejected } from "../receipts.ts";
import type { ModelState } from "../state.ts";
import { actingAccount, type Handler, type ModelAction } from "./handler.ts";

const demand: DemandOf<"amendOrder"> = ({ orderId, clientOrderId }, state, account) => ({
  scope: "trade",
  markets: marketsOf([findNamed(state, account, orderId, clientOrderId)]),
});

/**
 * A smaller size at the same price, or another expiry, changes an order in place. Any other amendment is a new order
 * under the old id (ORD-4).
 */
const apply: Handler<"amendOrder"> = (state, context, payload) => {
  const account = actingAccount(context);
  const order = findOrder(state, account, payload.orderId, payload.clientOrderId);
  if (typeof order === "string") return rejected(order);
  const { market, side, reduceOnly, postOnlyMode } = order;
  const { lotSize, tickSize } = market.parameters;
  const sizeE8 = Number(payload.size) === 0 ? order.remaining * lotSize : BigInt(payload.size);
  const price = Number(payload.price) === 0 ? order.price * tickSize : BigInt(payload.price);
  const goodTilHeight = payload.goodTilHeight === 0 ? order.goodTilHeight : payload.goodTilHeight;
  const goodTilTime = payload.goodTilTime === 0 ? order.goodTilTime : payload.goodTilTime;
  const sameExpiry = goodTilHeight === order.goodTilHeight && goodTilTime === order.goodTilTime;
  const ticks =
    postOnlyMode === "slide" && price % tickSize === 0n ? slidePrice(market, side, price / tickSize) : price / tickSize;
  const samePrice = price % tickSize === 0n && ticks === order.price;
  const sameSize = sizeE8 === order.remaining * lotSize;
  const inPlace =
    samePrice && sizeE8 % lotSize === 0n && (sizeE8 < order.remaining * lotSize || (sameSize && !sameExpiry));
  const request: OrderRequest = {
    id: order.id,
    account,
    grant: context.actor?.grant,
    market,
    side,
    orderType: "limit",
    sizeE8,
    price,
    slippage: 0n,
    timeInForce: goodTilHeight !== 0 || goodTilTime !== 0 ? "GTT" : "GTC",
    goodTilHeight,
    goodTilTime,
    postOnly: postOnlyMode,
    reduceOnly,
    selfTrade: order.selfTrade,
    selfTradeScope: order.selfTradeScope,
    clientOrderId: order.clientOrderId,
  };
  if (!inPlace) {
    const closed = checkStatus(market, reduceOnly, postOnlyMode !== "no");
    if (closed !== undefined) return rejected(closed);
    if (samePrice && sameSize && sameExpiry) return rejected("NOTHING_TO_DO");
    const entered = enterOrder(state, request, { order });
    return "code" in entered ? entered : { results: [entered.result] };
  }
  const code = checkInPlace(state, request, sizeE8 / lotSize, ticks);
  if (code !== undefined) return rejected(code);
  shrinkOrder(order, sizeE8 / lotSize);
  order.goodTilHeight = goodTilHeight;
  order.goodTilTime = goodTilTime;
  emitAmended(state, order, { ...order, requeued: false, rests: true });
  return { results: [{ orderId: order.id, status: "amended" }] };
};

export const amendOrder: ModelAction<"amendOrder"> = { domain: "trading", demand, apply };

/** An order that gets smaller in place must still meet the market's limits. */
function checkInPlace(
  state: ModelState,
  request: OrderRequest,
  lots: bigint,
  ticks: bigint,
): RejectionCode | undefined {
  if (isPast(state, request.goodTilHeight, request.goodTilTime)) return "EXPIRY_PASSED";
  return checkLimits(state, request, lots, ticks);
}
