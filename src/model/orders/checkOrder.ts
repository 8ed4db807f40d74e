import type { RejectionCode } from "../../protocol/rejections.ts";
import { abs, divCeil, divFloor, sum } from "../arithmetic.ts";
import { checkLimits } from "../authorization/limits.ts";
import { valueAtTicks } from "../margin/requirement.ts";
import { statusRules } from "../market/lifecycle.ts";
import { isHeldByLimits } from "../matching/caps.ts";
import { isTrusted } from "../prices/validity.ts";
import type { Market, ModelState, Order } from "../state.ts";
import { LIMIT, PPB } from "../words.ts";
import { bestOf, crosses, isInBand, opposite, sideOf, signOf } from "./book.ts";
import type { OrderRequest } from "./enterOrder.ts";
import { checkOrderMargin } from "./orderMargin.ts";

/** An order that may enter, in the units of the book. */
export interface OrderPlan {
  readonly lots: bigint;
  readonly ticks: bigint;
  readonly timeInForce: "GTC" | "IOC" | "FOK" | "GTT";
  /** What is left rests. */
  readonly rests: boolean;
}

/** Where an amended order comes from: it is checked as a new one without the one that it takes the place of (ORD-4). */
export interface Amended {
  readonly order: Order;
}

/** The first fault of an order in the order of the codes, or what is to enter (ORD, ACT-2). */
export function checkOrder(state: ModelState, request: OrderRequest, amended?: Amended): RejectionCode | OrderPlan {
  const { account, market, side, orderType, reduceOnly, postOnly } = request;
  const { parameters } = market;
  const isMarket = orderType === "market";
  const timeInForce = isMarket ? (request.timeInForce === "FOK" ? "FOK" : "IOC") : request.timeInForce;
  const rests = timeInForce === "GTC" || timeInForce === "GTT";
  const makesOnly = postOnly !== "no" && rests;

  const { placing } = statusRules(market);
  if (placing === "none" || (placing === "postOnly" && !makesOnly) || (placing === "reduceOnly" && !reduceOnly))
    return "MARKET_CLOSED";
  if (parameters.pauseTrade === "on") return "OPERATION_PAUSED";
  if (market.gap && !makesOnly) return "MARKET_GAP";
  if (market.mark === 0n) return "PRICE_UNAVAILABLE";
  if (request.price === 0n && !(isMarket && request.slippage !== 0n)) return "PRICE_REQUIRED";
  const until = request.goodTilHeight !== 0 || request.goodTilTime !== 0;
  if (amended === undefined && until !== (timeInForce === "GTT")) return "EXPIRY_MISMATCH";
  if (isPast(state, request.goodTilHeight, request.goodTilTime)) return "EXPIRY_PASSED";
  if (request.price === 0n && (request.slippage < 0n || request.slippage > parameters.slippageMax * 1000n))
    return "SLIPPAGE_TOO_LARGE";
  if (request.size === 0n) return "SIZE_NOT_POSITIVE";
  if (request.size % parameters.lotSize !== 0n) return "OFF_LOT";
  if (request.price % parameters.tickSize !== 0n) return "OFF_TICK";
  const lots = request.size / parameters.lotSize;
  let ticks =
    request.price === 0n ? worstPrice(market, side === "buy", request.slippage) : request.price / parameters.tickSize;
  const best = bestOf(market, opposite(side));
  const wouldTake = (at: bigint) => best !== undefined && crosses(side, at, best);
  const slides = postOnly === "slide" && makesOnly && wouldTake(ticks);
  if (slides && best !== undefined) ticks = best - signOf(side);

  if (passesLimit(state, request, lots, ticks, amended)) return "NUMERIC_LIMIT";
  if (!reduceOnly && isHeldByLimits(account)) {
    if (lots < parameters.minLots) return "SIZE_TOO_SMALL";
  }
  if (isHeldByLimits(account) && lots > parameters.maxLots) return "SIZE_TOO_LARGE";
  if (!reduceOnly && isHeldByLimits(account) && valueAtTicks(market, lots, ticks) < parameters.minNotional)
    return "NOTIONAL_TOO_SMALL";
  if (isHeldByLimits(account) && !isInBand(market, ticks)) return "PRICE_OUT_OF_BAND";
  const mine = [...state.orders.values()].filter((order) => order.account === account && order !== amended?.order);
  if (request.clientOrderId !== "" && mine.some(({ clientOrderId }) => clientOrderId === request.clientOrderId))
    return "CLIENT_ORDER_ID_USED";
  if (rests && isHeldByLimits(account)) {
    const open = mine.filter((order) => order.market === market).length;
    if (open >= parameters.openOrdersMax) return "OPEN_ORDERS_LIMIT";
  }
  const size = account.positions.get(market.ordinal)?.size ?? 0n;
  if (reduceOnly && size * signOf(side) >= 0n) return "REDUCE_ONLY_WOULD_INCREASE";
  if (postOnly !== "no" && !rests) return "POST_ONLY_WITH_TAKING";
  if (makesOnly && (ticks < 1n || wouldTake(ticks))) return "POST_ONLY_WOULD_TAKE";
  const adds = !reduceOnly && mayIncrease(request, lots, size, amended);
  if (adds && !isTrusted(market, state.timeMs, "increase")) return "PRICE_NOT_VALID";
  if (request.grant !== undefined) {
    const limit = checkLimits(state, request.grant, {
      account,
      market,
      side,
      size: lots,
      price: ticks,
      reduceOnly,
      rests,
      ...(amended === undefined ? {} : { amended: { price: amended.order.price, remaining: amended.order.remaining } }),
    });
    if (limit !== undefined) return limit;
  }
  if (adds && isFrozen(market)) return "EXPOSURE_FROZEN";
  const plan = { lots, ticks, timeInForce, rests };
  return account.role !== "house" && !checkOrderMargin(state, request, plan, amended) ? "INSUFFICIENT_MARGIN" : plan;
}

/** A worst price from a slippage bound, never beyond it (ORD-1). */
function worstPrice({ mark, parameters }: Market, isBuy: boolean, slippage: bigint): bigint {
  const scale = PPB * parameters.tickSize;
  return isBuy ? divFloor(mark * (PPB + slippage), scale) : divCeil(mark * (PPB - slippage), scale);
}

/** The last height or time lies behind this block (ORD-2). */
export function isPast(state: ModelState, goodTilHeight: number, goodTilTime: number): boolean {
  return (goodTilHeight !== 0 && goodTilHeight < state.height) || (goodTilTime !== 0 && goodTilTime < state.timeMs);
}

/** Whether an order would make something that cannot be stored (NUM-3). */
function passesLimit(
  _state: ModelState,
  { account, market, side }: OrderRequest,
  lots: bigint,
  ticks: bigint,
  amended: Amended | undefined,
): boolean {
  const resting = sideOf(market, side).filter((order) => order.account === account && order !== amended?.order);
  const size = account.positions.get(market.ordinal)?.size ?? 0n;
  const after = abs(size) + sum(resting, ({ remaining }) => remaining) + lots;
  return valueAtTicks(market, lots, ticks) > LIMIT || after > LIMIT;
}

/** Whether all of an order, with what rests on its side, may leave a larger position than there is. */
function mayIncrease(
  { account, market, side }: OrderRequest,
  lots: bigint,
  size: bigint,
  amended: Amended | undefined,
): boolean {
  const resting = sideOf(market, side).filter(
    (order) => order.account === account && !order.reduceOnly && order !== amended?.order,
  );
  const after = size + signOf(side) * (sum(resting, ({ remaining }) => remaining) + lots);
  return size * signOf(side) >= 0n || after * signOf(side) > 0n;
}

/** While the raw oracle lies beyond the clamped index, or liquidations wait, exposure may not increase (PRC-2, LIQ). */
function isFrozen(market: Market): boolean {
  if (market.frozen) return true;
  return market.parameters.markMethod !== "external" && market.oracle !== market.index;
}
