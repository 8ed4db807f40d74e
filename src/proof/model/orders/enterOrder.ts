import type { ActionResult } from "../../../protocol/receipt.ts";
import type { RejectionCode } from "../../../protocol/rejections.ts";
import { positionOf } from "../accounts.ts";
import { abs, max, min, sum } from "../arithmetic.ts";
import { countOrder } from "../authorization/limits.ts";
import { emit } from "../emitted.ts";
import { afterOrderEnded, afterOrderRested } from "../intents/hooks.ts";
import { measure } from "../margin/health.ts";
import { freeForFill } from "../margin/isolatedFill.ts";
import { valueAtTicks } from "../margin/valuation.ts";
import { FillForecast, isNearBound } from "../matching/fillForecast.ts";
import { match, type Stop } from "../matching/match.ts";
import type { Account, Grant, Market, ModelState, Order, Position, SelfTrade, Side } from "../state.ts";
import { saveState } from "../undo.ts";
import { bestOf, crosses, emitAmended, emitOpened, opposite, restOrder, sideOf, signOf } from "./book.ts";
import { emitCancelled } from "./cancelOrder.ts";
import { carryReserve, readCrossBefore } from "./carryReserve.ts";
import { type Amended, checkOrder, type OrderPlan } from "./checkOrder.ts";
import { orderCostOf } from "./orderCost.ts";
import { removeFromBook } from "./removeFromBook.ts";
import { removeOrder } from "./removeOrder.ts";

/** A requested order: by its owner, or by an intent that fires. Units are those of payloads. */
export interface OrderRequest {
  readonly id: number;
  readonly account: Account;
  readonly grant: Grant | undefined;
  readonly market: Market;
  readonly side: Side;
  readonly orderType: "limit" | "market";
  readonly sizeE8: bigint;
  /** 1e-8 USD; 0 for none. */
  readonly price: bigint;
  /** ppb; 0 for none. */
  readonly slippage: bigint;
  readonly timeInForce: "GTC" | "IOC" | "FOK" | "GTT";
  readonly goodTilHeight: number;
  readonly goodTilTime: number;
  readonly postOnly: "no" | "reject" | "slide";
  readonly reduceOnly: boolean;
  readonly selfTrade: SelfTrade;
  readonly selfTradeScope: "account" | "owner";
  readonly clientOrderId: string;
}

export type Entered =
  | { readonly code: RejectionCode }
  | { readonly result: ActionResult; readonly filled: bigint; readonly stopped: Stop | undefined };

/** Enters an order whole, or returns the first fault and changes nothing (ORD). `filled` is in lots. */
export function enterOrder(state: ModelState, request: OrderRequest, amended?: Amended): Entered {
  const plan = checkOrder(state, request, amended);
  return typeof plan === "string" ? { code: plan } : carryOut(state, request, plan, amended);
}

/** Matches a checked order, and rests the remainder that its time in force allows. */
function carryOut(state: ModelState, request: OrderRequest, plan: OrderPlan, amended: Amended | undefined): Entered {
  const { id, account, market, side, grant } = request;
  if (grant !== undefined) {
    const { reduceOnly } = request;
    countOrder(state, grant, {
      account,
      market,
      side,
      lots: plan.lots,
      price: plan.ticks,
      reduceOnly,
      rests: plan.rests,
      ...(amended === undefined ? {} : { amended: { price: amended.order.price, remaining: amended.order.remaining } }),
    });
  }
  // A killed order was accepted, and counts against its grant (AUT).
  const undo = plan.timeInForce === "FOK" && takesAny(request, plan) ? saveState(state) : undefined;
  const position = positionOf(account, market);
  const health = measure({ account, isolated: undefined });
  if (amended !== undefined) {
    const { goodTilHeight, goodTilTime } = request;
    const entering = { price: plan.ticks, remaining: plan.lots, orderCost: 0n };
    emitAmended(state, amended.order, { ...entering, requeued: true, rests: false, goodTilHeight, goodTilTime });
    removeFromBook(state, amended.order);
  }
  const before = readCrossBefore(position);
  // A reduce-only order is whole at the position's size when it enters (ORD-2).
  const wholeLots = request.reduceOnly ? min(plan.lots, abs(positionOf(account, market).signedLots)) : plan.lots;
  const whole = plan.timeInForce === "FOK" ? new FillForecast(state) : undefined;
  const mostFills = whole !== undefined && needsOneFill(request, wholeLots) ? 1 : Number.POSITIVE_INFINITY;
  const isNear = isNearBound(account, positionOf(account, market), valueAtTicks(market, wholeLots, plan.ticks));
  const lots = whole === undefined ? plan.lots : wholeLots;
  const matched = match(state, { ...request, limit: plan.ticks, lots }, whole);
  const { filled, stopped } = matched;
  const isKilled = (): boolean =>
    filled < wholeLots || matched.fills > mostFills || ((whole?.found || isNear) && state.tools.isKilled(id));
  if (whole !== undefined && isKilled()) {
    undo?.();
    emitCancelled(state, request, plan.lots, "timeInForce");
    afterOrderEnded(state, id);
    return { result: { orderId: id, status: "cancelled" }, filled: 0n, stopped: undefined };
  }
  const left = plan.lots - filled - matched.decremented;
  const mayRest = plan.rests && stopped === undefined;
  let cut: ReduceOnlyCut | undefined;
  if (left > 0n && mayRest) cut = rest(state, request, plan, { left, filled, amended });
  else {
    const cause = whole === undefined ? (stopped ?? "timeInForce") : "reduceOnly";
    if (left > 0n) emitCancelled(state, request, left, cause);
    if (left > 0n && cause === "reduceOnly") cut = { resting: 0n, cancelled: left, others: 0n };
    afterOrderEnded(state, id);
  }
  if (filled > 0n) carryReserve(state, position, before);
  if (health.equity < health.required) keepRequired(state, position, health.required);
  const status =
    left > 0n && mayRest && state.orders.has(id)
      ? "resting"
      : filled === plan.lots
        ? "filled"
        : filled > 0n
          ? "partiallyFilled"
          : "cancelled";
  const emitted =
    cut === undefined
      ? {}
      : {
          code: "REDUCE_ONLY_CUT" as const,
          numbers: reportNumbers({ lots: plan.lots, filled, ...cut, position: positionOf(account, market).signedLots }),
        };
  return { result: { orderId: id, status, ...emitted }, filled, stopped };
}

/** Lots that may not rest because they exceed the reducible position (ORD-9). */
interface ReduceOnlyCut {
  readonly resting: bigint;
  readonly cancelled: bigint;
  /** Lots of the account's other reduce-only orders, with `trim`. */
  readonly others: bigint;
}

function reportNumbers(numbers: Readonly<Record<string, bigint>>): Record<string, number> {
  return Object.fromEntries(Object.entries(numbers).map(([name, lots]) => [name, Number(lots)]));
}

/**
 * Runs after an order of a cross account that was below initial margin. While it is below, and its orders reserve more
 * than before, cancels the newest orders of the market. Matching may have cancelled others (MRG-4).
 */
function keepRequired(state: ModelState, { account, market, mode }: Position, before: bigint): void {
  if (mode !== "cross" || account.role === "house") return;
  for (;;) {
    const { equity, required } = measure({ account, isolated: undefined });
    if (equity >= required || required <= before) return;
    const open = [...market.bids, ...market.asks].filter((order) => order.account === account && !order.reduceOnly);
    const newest = open.sort((a, b) => b.opened - a.opened)[0];
    if (newest === undefined) return;
    removeOrder(state, newest, "margin");
  }
}

/** Puts the rest of an order on the book; the excess of a reduce-only one is taken off at once (ORD-9). */
function rest(
  state: ModelState,
  request: OrderRequest,
  plan: OrderPlan,
  of: { readonly left: bigint; readonly filled: bigint; readonly amended: Amended | undefined },
): ReduceOnlyCut | undefined {
  const { id, account, reduceOnly, postOnly } = request;
  const { left, filled, amended } = of;
  const others = request.market.parameters.reduceOnlyResting === "trim" ? otherReduceOnly(request) : 0n;
  const remaining = fitRest(request, left, others);
  // The resting part keeps its pro rata share of the order cost that the fills left.
  const order: Order = {
    id,
    account,
    market: request.market,
    side: request.side,
    reduceOnly,
    postOnly: postOnly !== "no",
    postOnlyMode: postOnly,
    clientOrderId: request.clientOrderId,
    price: plan.ticks,
    remaining,
    filled: filled + (amended?.order.filled ?? 0n),
    orderCost: reduceOnly || account.role === "house" ? 0n : orderCostOfRest(state, request, plan, filled, remaining),
    goodTilHeight: request.goodTilHeight,
    goodTilTime: request.goodTilTime,
    sequence: 0,
    opened: 0,
    grant: amended === undefined ? request.grant : amended.order.grant,
    selfTrade: request.selfTrade,
    selfTradeScope: request.selfTradeScope,
  };
  emitOpened(state, order, left);
  if (remaining === 0n) {
    emitCancelled(state, request, left, "reduceOnly");
    afterOrderEnded(state, id);
    return { resting: 0n, cancelled: left, others };
  }
  restOrder(state, order);
  if (remaining < left) emit(state, "orderResized", { order: id, remaining, orderCost: 0n, cause: "reduceOnly" });
  afterOrderRested(state, order);
  return remaining < left ? { resting: remaining, cancelled: left - remaining, others } : undefined;
}

/** Order cost of filled and resting lots together, less that of the filled lots, at the limit price (decision 0003). */
function orderCostOfRest(
  state: ModelState,
  { account, market, side }: OrderRequest,
  { ticks }: OrderPlan,
  filled: bigint,
  rest: bigint,
): bigint {
  const orderCost = (lots: bigint) => orderCostOf(state, account, market, side, lots, ticks);
  return filled === 0n ? orderCost(rest) : orderCost(filled + rest) - orderCost(filled);
}

/**
 * A resting reduce-only order is at most the position; with `trim`, less the lots of other reduce-only orders (ORD-9).
 */
function fitRest({ account, market, side, reduceOnly }: OrderRequest, left: bigint, others: bigint): bigint {
  if (!reduceOnly) return left;
  const { signedLots } = positionOf(account, market);
  if (side === "buy" ? signedLots >= 0n : signedLots <= 0n) return 0n;
  return max(0n, min(left, abs(signedLots) - others));
}

function otherReduceOnly({ account, market, side }: OrderRequest): bigint {
  const others = sideOf(market, side).filter((order) => order.account === account && order.reduceOnly);
  return sum(others, ({ remaining }) => remaining);
}

/**
 * The collateral that a closed isolated position gives back is in cross between two fills. If cross has nothing free,
 * none of it can leave again, and one maker must fill all of an order that reverses the position (ORD-2, MRG-2).
 */
function needsOneFill({ account, market, side }: OrderRequest, lots: bigint): boolean {
  const position = positionOf(account, market);
  const turns = position.signedLots * signOf(side) < 0n && lots > abs(position.signedLots);
  if (position.mode !== "isolated" || !turns) return false;
  const free = freeForFill(position);
  return free === undefined || free < 0n;
}

function takesAny({ market, side }: OrderRequest, { ticks }: OrderPlan): boolean {
  const best = bestOf(market, opposite(side));
  return best !== undefined && crosses(side, ticks, best);
}
