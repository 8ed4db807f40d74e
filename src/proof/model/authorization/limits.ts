import type { RejectionCode } from "../../../protocol/rejections.ts";
import { abs, divCeil, max, sum } from "../arithmetic.ts";
import { VALUE_SCALE } from "../market/parameters.ts";
import { refuse } from "../receipts.ts";
import type { Account, Grant, Market, ModelState, Side } from "../state.ts";
import { DAY_MS } from "../words.ts";

/** An order as a grant's limits see it. */
export interface LimitedOrder {
  readonly account: Account;
  readonly market: Market;
  readonly side: Side;
  readonly lots: bigint;
  /** Limit, or worst price, ticks. */
  readonly price: bigint;
  readonly reduceOnly: boolean;
  /** It may rest on the book. */
  readonly rests: boolean;
  /** The resting order that it replaces. */
  readonly amended?: { readonly price: bigint; readonly remaining: bigint };
}

const NO_LIMIT = -1n;

/**
 * The first limit of a grant that an order would exceed; an order that only reduces is checked against the last one
 * (AUT).
 */
export function checkLimits(state: ModelState, grant: Grant, order: LimitedOrder): RejectionCode | undefined {
  if (!order.reduceOnly) {
    const exceeds = (value: bigint, most: bigint) => most !== NO_LIMIT && value > most;
    const notional = orderValue(order, order.price, order.lots);
    if (exceeds(notional, grant.maxOrderNotional))
      return refuse(state, "AUTHORIZATION_ORDER_LIMIT", { notional, most: grant.maxOrderNotional });
    const { before, after } = computeExposure(order);
    const raised = after > before ? computeNotional(order.market, after) : 0n;
    if (exceeds(raised, grant.maxPositionNotional)) return "AUTHORIZATION_POSITION_LIMIT";
    const used = usedToday(state, grant);
    const added = addedValue(order);
    if (exceeds(used + added, grant.maxDailyNotional))
      return refuse(state, "AUTHORIZATION_DAILY_LIMIT", { used, notional: added, most: grant.maxDailyNotional });
  }
  if (order.rests && order.amended === undefined && grant.maxOpenOrders !== NO_LIMIT) {
    const open = [...state.orders.values()].filter((resting) => resting.grant === grant).length;
    if (BigInt(open) >= grant.maxOpenOrders)
      return refuse(state, "AUTHORIZATION_OPEN_ORDERS", { most: grant.maxOpenOrders });
  }
  return undefined;
}

/** Counts an accepted order toward the grant's daily limit (AUT). */
export function countOrder(state: ModelState, grant: Grant, order: LimitedOrder): void {
  if (order.reduceOnly || grant.maxDailyNotional === NO_LIMIT) return;
  const added = addedValue(order);
  // An amendment that adds nothing uses nothing, also of a limit of 0.
  if (added === 0n) return;
  const used = usedToday(state, grant) + added;
  grant.day = Math.floor(state.timeMs / DAY_MS);
  grant.used = used;
  // A grant used up to the unit on its last day is exhausted.
  const lastDay = Math.floor((grant.expiresAt - 1) / DAY_MS);
  const onlyTrades = grant.scopes.size === 1 && grant.scopes.has("trade");
  if (used === grant.maxDailyNotional && lastDay <= grant.day && onlyTrades) grant.status = "exhausted";
}

function usedToday(state: ModelState, grant: Grant): bigint {
  return grant.day === Math.floor(state.timeMs / DAY_MS) ? grant.used : 0n;
}

function orderValue({ market }: LimitedOrder, price: bigint, lots: bigint): bigint {
  return price * lots * market.parameters.tickLotValue;
}

/** An amendment counts its increase of the order's value; a decrease gives nothing back. */
function addedValue(order: LimitedOrder): bigint {
  const value = orderValue(order, order.price, order.lots);
  const { amended } = order;
  return amended === undefined ? value : max(0n, value - orderValue(order, amended.price, amended.remaining));
}

/** |size and all resting lots of the side that may add|, without and with the order, lots. */
function computeExposure(order: LimitedOrder): { readonly before: bigint; readonly after: bigint } {
  const { account, market, side, lots, amended } = order;
  const resting = sum(
    (side === "buy" ? market.bids : market.asks).filter((other) => other.account === account && !other.reduceOnly),
    ({ remaining }) => remaining,
  );
  const held = account.positions.get(market.ordinal)?.signedLots ?? 0n;
  const with_ = (lots: bigint) => abs(side === "buy" ? held + lots : held - lots);
  return { before: with_(resting), after: with_(resting - (amended?.remaining ?? 0n) + lots) };
}

function computeNotional({ mark, parameters }: Market, lots: bigint): bigint {
  return divCeil(lots * mark * parameters.lotSize, VALUE_SCALE);
}
