import type { RejectionCode } from "../../../protocol/rejections.ts";
import { clamp, divCeil, divFloor, max, min, sum } from "../arithmetic.ts";
import { checkLimits as checkGrantLimits } from "../authorization/limits.ts";
import { valueAtTicks } from "../margin/valuation.ts";
import { statusRules } from "../market/lifecycle.ts";
import { isHeldByLimits } from "../matching/caps.ts";
import { getValidity, isTrusted } from "../prices/validity.ts";
import { refuse } from "../receipts.ts";
import type { Market, ModelState, Order, Side } from "../state.ts";
import { LIMIT, PPB, TICKS_MOST } from "../words.ts";
import { bestOf, crosses, isInBand, opposite, sideOf, signOf } from "./book.ts";
import type { OrderRequest } from "./enterOrder.ts";
import { isPast } from "./expiry.ts";
import { checkOrderMargin } from "./orderMargin.ts";

/** An accepted order, in the units of the book. */
export interface OrderPlan {
  readonly lots: bigint;
  readonly ticks: bigint;
  readonly timeInForce: "GTC" | "IOC" | "FOK" | "GTT";
  /** The rest of the order may rest. */
  readonly rests: boolean;
}

/** The origin of an amended order: it is checked as a new order, without the one that it replaces (ORD-4). */
export interface Amended {
  readonly order: Order;
}

/** The first fault of an order in the order of the codes, or the accepted order (ORD, ACT-2). */
export function checkOrder(state: ModelState, request: OrderRequest, amended?: Amended): RejectionCode | OrderPlan {
  const { account, market, side, orderType, reduceOnly, postOnly } = request;
  const { parameters } = market;
  const isMarket = orderType === "market";
  const timeInForce = isMarket && request.timeInForce !== "FOK" ? "IOC" : request.timeInForce;
  const rests = timeInForce === "GTC" || timeInForce === "GTT";
  const makesOnly = postOnly !== "no" && rests;
  const house = !isHeldByLimits(account);

  const closed = checkStatus(market, reduceOnly, makesOnly);
  if (closed !== undefined) return closed;
  const { price: asked, slippage } = request;
  if (slippage < 0n || (slippage !== 0n && !isMarket)) return refuse(state, "FIELD_REFUSED", { field: "slippage" });
  if (market.mark === 0n) return "PRICE_UNAVAILABLE";
  if (asked === 0n && slippage === 0n) return "PRICE_REQUIRED";
  const until = request.goodTilHeight !== 0 || request.goodTilTime !== 0;
  const isUntil = request.timeInForce === "GTT";
  if (until !== isUntil || (isMarket && isUntil)) return "EXPIRY_MISMATCH";
  if (isPast(state, request.goodTilHeight, request.goodTilTime)) return "EXPIRY_PASSED";
  if (slippage > parameters.slippageMax * 1000n) return "SLIPPAGE_TOO_LARGE";
  if (request.sizeE8 === 0n) return "SIZE_NOT_POSITIVE";
  if (request.sizeE8 % parameters.lotSize !== 0n) return "OFF_LOT";
  if (asked % parameters.tickSize !== 0n) return "OFF_TICK";
  const lots = request.sizeE8 / parameters.lotSize;
  const limit = tighterPrice(market, side, asked / parameters.tickSize, slippage);
  const ticks = postOnly === "slide" ? slidePrice(market, side, limit) : limit;

  const limited = checkLimits(state, request, lots, ticks);
  if (limited !== undefined) return limited;
  if (house && rests && passesStorage(request, lots, amended)) return "NUMERIC_LIMIT";
  const mine = [...state.orders.values()].filter((order) => order.account === account && order !== amended?.order);
  if (request.clientOrderId !== "" && mine.some(({ clientOrderId }) => clientOrderId === request.clientOrderId))
    return "CLIENT_ORDER_ID_USED";
  if (rests && !house && amended === undefined) {
    const open = mine.filter((order) => order.market === market).length;
    if (open >= parameters.openOrdersMax) return refuse(state, "OPEN_ORDERS_LIMIT", { most: parameters.openOrdersMax });
  }
  const signedLots = account.positions.get(market.ordinal)?.signedLots ?? 0n;
  if (reduceOnly && signedLots * signOf(side) >= 0n)
    return refuse(state, "REDUCE_ONLY_WOULD_INCREASE", { size: signedLots });
  if (postOnly !== "no" && !rests) return "POST_ONLY_WITH_TAKING";
  if (makesOnly && wouldTake(market, side, ticks))
    return refuse(state, "POST_ONLY_WOULD_TAKE", { price: ticks, best: bestOf(market, opposite(side)) ?? 0n });
  const adds = !reduceOnly && !house && mayIncrease(request, lots, signedLots, amended);
  // While a market restarts a post-only order may rest at a stale price: nothing trades with it before a new price
  // (PRC-4).
  const aged = market.restarting && postOnly !== "no" && getValidity(market, state.timeMs) === "stale";
  if (adds && !aged && !isTrusted(market, state.timeMs, "increase")) return "PRICE_NOT_VALID";
  if (request.grant !== undefined) {
    const exceeded = checkGrantLimits(state, request.grant, {
      account,
      market,
      side,
      lots: lots,
      price: ticks,
      reduceOnly,
      rests,
      ...(amended === undefined ? {} : { amended: { price: amended.order.price, remaining: amended.order.remaining } }),
    });
    if (exceeded !== undefined) return exceeded;
  }
  if (adds && isFrozen(market)) return "EXPOSURE_FROZEN";
  const plan = { lots, ticks, timeInForce, rests };
  return (house ? undefined : checkOrderMargin(state, request, plan, amended)) ?? plan;
}

/** The rejection by status, pause and restart (MKT, PRC-4). */
export function checkStatus(market: Market, reduceOnly: boolean, makesOnly: boolean): RejectionCode | undefined {
  const { placing } = statusRules(market);
  if (placing === "none" || (placing === "postOnly" && !makesOnly) || (placing === "reduceOnly" && !reduceOnly))
    return "MARKET_CLOSED";
  if (market.parameters.pauseTrade === "on") return "OPERATION_PAUSED";
  return market.restarting && !makesOnly ? "MARKET_RESTARTING" : undefined;
}

/** Size, value and band (ORD-5); for the house only the storable range applies (ACC). */
export function checkLimits(
  state: ModelState,
  { account, market, reduceOnly }: OrderRequest,
  lots: bigint,
  ticks: bigint,
): RejectionCode | undefined {
  const { parameters } = market;
  const value = valueAtTicks(market, lots, ticks);
  if (ticks > TICKS_MOST || lots > LIMIT || value > LIMIT / 4n)
    return refuse(state, "NUMERIC_LIMIT", { limit: LIMIT / 4n });
  if (!isHeldByLimits(account)) return undefined;
  if (!reduceOnly && lots < parameters.minLots)
    return refuse(state, "SIZE_TOO_SMALL", { lots, least: parameters.minLots });
  if (lots > parameters.maxLots) return refuse(state, "SIZE_TOO_LARGE", { lots, most: parameters.maxLots });
  if (!reduceOnly && value < parameters.minNotional)
    return refuse(state, "NOTIONAL_TOO_SMALL", { value, least: parameters.minNotional });
  return isInBand(market, ticks)
    ? undefined
    : refuse(state, "PRICE_OUT_OF_BAND", { price: ticks, index: market.index });
}

/** The tighter of a price in ticks and a slippage bound; 0 if it has neither (ORD-1). */
export function tighterPrice(market: Market, side: Side, ticks: bigint, slippage: bigint): bigint {
  if (slippage === 0n) return ticks;
  const bound = worstPrice(market, side, slippage);
  if (ticks === 0n) return bound;
  return side === "buy" ? min(ticks, bound) : max(ticks, bound);
}

/** A worst price from a slippage bound, never beyond it, and at least one tick (ORD-1). */
export function worstPrice({ mark, parameters }: Market, side: Side, slippage: bigint): bigint {
  const scale = PPB * parameters.tickSize;
  const ticks = side === "buy" ? divFloor(mark * (PPB + slippage), scale) : divCeil(mark * (PPB - slippage), scale);
  return clamp(ticks, 1n, TICKS_MOST);
}

function wouldTake(market: Market, side: Side, ticks: bigint): boolean {
  const best = bestOf(market, opposite(side));
  return best !== undefined && crosses(side, ticks, best);
}

/** One tick outside the cross; its own price if there is none left (ORD-2). */
export function slidePrice(market: Market, side: Side, ticks: bigint): bigint {
  const best = bestOf(market, opposite(side));
  if (best === undefined || !crosses(side, ticks, best)) return ticks;
  const outside = best - signOf(side);
  return outside < 1n || outside > TICKS_MOST ? ticks : outside;
}

/** Whether the house's resting lots of a side would exceed the storable range (NUM-3). */
function passesStorage({ account, market, side }: OrderRequest, lots: bigint, amended: Amended | undefined): boolean {
  const resting = sideOf(market, side).filter(
    (order) => order.account === account && !order.reduceOnly && order !== amended?.order,
  );
  return sum(resting, ({ remaining }) => remaining) + lots > LIMIT / 2n;
}

/** Whether the whole order, with the orders resting on its side, could enlarge the position. */
function mayIncrease(
  { account, market, side }: OrderRequest,
  lots: bigint,
  signedLots: bigint,
  amended: Amended | undefined,
): boolean {
  const resting = sideOf(market, side).filter(
    (order) => order.account === account && !order.reduceOnly && order !== amended?.order,
  );
  const after = signedLots + signOf(side) * (sum(resting, ({ remaining }) => remaining) + lots);
  return signedLots * signOf(side) >= 0n || after * signOf(side) > 0n;
}

/** While the raw oracle is beyond the clamped index, or liquidations wait, exposure may not increase (PRC-2, LIQ). */
function isFrozen(market: Market): boolean {
  if (market.frozen) return true;
  return market.parameters.markMethod !== "reported" && market.oracle !== market.index;
}
