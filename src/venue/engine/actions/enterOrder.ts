import { NONE } from "../../../ground/collections/table.ts";
import type { Amount, Lots, Ticks } from "../../../ground/math/fixed.ts";
import { CANCEL_CAUSE } from "../../../protocol/events.ts";
import type { OrderId } from "../../../protocol/fields.ts";
import { ORDER_OUTCOME } from "../../../protocol/receipt.ts";
import { MARGIN_MODE, ROLE } from "../../../protocol/words.ts";
import { openOrder } from "../book/orders.ts";
import type { ActionContext } from "../handler/defineHandler.ts";
import { carryReserve, readCrossBefore } from "../matching/carryReserve.ts";
import { getRequiredBefore, keepRequired, mayLoseOrders, NOT_BELOW } from "../matching/keepRequired.ts";
import { match } from "../matching/match.ts";
import { cutAtEntry, type EntryCut } from "../matching/reduceOnly.ts";
import { createTaker, NOT_STOPPED, type Taker } from "../matching/taker.ts";
import { getTakerRate } from "../matching/volume.ts";
import { ensurePosition, releaseIfEmpty } from "../state/positions.ts";
import type { AuthorizationRow, MarketRow } from "../state/schema.ts";
import type { State } from "../state/state.ts";
import { computeOrderCost } from "../valuation/orderCost.ts";

/** A checked order on its way into the book. */
export interface EnteringOrder {
  readonly market: MarketRow;
  readonly side: number;
  readonly lots: Lots;
  /** Lots of a reduce-only fill-or-kill order beyond the position: they never match, and are cancelled (ORD-2). */
  readonly excess: Lots;
  readonly price: Ticks;
  /** The rest after matching stays in the order book; otherwise it is cancelled. */
  readonly rests: boolean;
  /** A fill-or-kill order that would not fill whole: it does nothing. */
  readonly killed: boolean;
  readonly reduceOnly: boolean;
  readonly selfTrade: number;
  readonly selfTradeScope: number;
  readonly clientOrderId: string;
  readonly orderId: OrderId;
  /** Mode (POST_ONLY) that it keeps while it rests. */
  readonly postOnly: number;
  /** Last height and block time at which it may trade, 0 for none. */
  readonly goodTilHeight: number;
  readonly goodTilTime: number;
  /** Lots filled under this id before an amendment made it enter again. */
  readonly filledBefore: number;
  /** Grant under which an agent entered it, NONE for none. */
  readonly grant: AuthorizationRow;
  /** Order cost of all its lots, where the check computed it; NONE where not. */
  readonly orderCost: number;
  /**
   * `getRequiredBefore`, of an amendment with the order that it replaces; undefined where the check did not find it.
   */
  readonly requiredBefore: number | undefined;
}

/** Matches an order, then rests or cancels the rest. The receipt's result reports which. */
export function enterOrder(state: State, context: ActionContext, order: EnteringOrder): void {
  const { account } = context;
  const position = ensurePosition(state, account, order.market);
  const house = state.accounts.role[account] === ROLE.house;
  const taker = createTaker({
    market: order.market,
    account,
    position,
    side: order.side,
    orderId: order.orderId,
    limit: order.price,
    reduceOnly: order.reduceOnly,
    selfTrade: order.selfTrade,
    selfTradeScope: order.selfTradeScope,
    house,
    liquidation: undefined,
    lots: order.lots,
  });
  const isolated = !house && state.positions.mode[position] !== MARGIN_MODE.cross;
  const before = isolated ? readCrossBefore(state, position) : undefined;
  const required =
    order.requiredBefore ?? (mayLoseOrders(state, order.selfTrade) ? getRequiredBefore(state, position) : NOT_BELOW);
  if (!order.killed) match(state, taker);

  let rested = false;
  let cut: EntryCut | undefined;
  let outcome: number = taker.filled > 0 ? ORDER_OUTCOME.partiallyFilled : ORDER_OUTCOME.cancelled;
  if (taker.filled === order.lots && order.excess === 0) {
    outcome = ORDER_OUTCOME.filled;
  } else if (taker.filled === order.lots) {
    emitCancelled(state, taker, order.excess, CANCEL_CAUSE.reduceOnly);
    cut = { cancelled: order.excess, others: 0 };
  } else if (order.rests && taker.stopped === NOT_STOPPED && taker.remaining > 0) {
    const orderCost = (order.reduceOnly || house ? 0 : computeRestOrderCost(state, order, taker)) as Amount;
    const row = openOrder(state, {
      id: order.orderId,
      position,
      side: order.side,
      reduceOnly: order.reduceOnly,
      price: order.price,
      remaining: taker.remaining,
      filled: (order.filledBefore + taker.filled) as Lots,
      orderCost,
      clientOrderId: order.clientOrderId,
      postOnly: order.postOnly,
      selfTrade: order.selfTrade,
      selfTradeScope: order.selfTradeScope,
      goodTilHeight: order.goodTilHeight,
      goodTilTime: order.goodTilTime,
      grant: order.grant,
    });
    if (order.reduceOnly) cut = cutAtEntry(state, row);
    rested = true;
  } else if (taker.remaining > 0) {
    const cause = taker.stopped === NOT_STOPPED ? CANCEL_CAUSE.timeInForce : taker.stopped;
    emitCancelled(state, taker, (taker.remaining + order.excess) as Lots, cause);
    if (cause === CANCEL_CAUSE.reduceOnly) cut = { cancelled: taker.remaining + order.excess, others: 0 };
  }
  if (before !== undefined && taker.filled > 0) carryReserve(state, position, before);
  if (required !== NOT_BELOW) keepRequired(state, position, required);
  // Older reduce-only orders may leave nothing for this one to close, and cross may not carry it: then it is cancelled
  // again.
  if (rested && state.orderIndex.find(state.orders, order.orderId) !== NONE) outcome = ORDER_OUTCOME.resting;
  if (cut !== undefined) {
    context.cut = {
      code: "REDUCE_ONLY_CUT",
      numbers: {
        lots: order.lots + order.excess,
        filled: taker.filled,
        resting: rested ? taker.remaining - cut.cancelled : 0,
        cancelled: cut.cancelled,
        position: state.positions.signedLots[position],
        others: cut.others,
      },
    };
  }
  releaseIfEmpty(state, position);
  context.orderId = order.orderId;
  context.outcome = outcome;
  context.stopped = taker.stopped;
}

function emitCancelled(state: State, { orderId, account, market }: Taker, remaining: Lots, cause: number): void {
  state.events.orderCancelled({ order: orderId, account, market, remaining, cause });
}

/**
 * Order cost of the rest of an order: the cost of the whole order less that of its fills, at its limit price. The two
 * add up to the cost checked at entry: matching never takes the account below its initial margin (MRG-3, MRG-4).
 */
function computeRestOrderCost(state: State, order: EnteringOrder, taker: Taker): number {
  if (order.orderCost !== NONE && taker.remaining === order.lots) return order.orderCost;
  const rules = state.parameters[order.market]!;
  const mark = state.markets.mark[order.market];
  const rate = getTakerRate(state, rules, taker.account);
  const orderCostOf = (lots: number) => computeOrderCost(rules, order.side, lots as Lots, order.price, mark, rate);
  const whole = orderCostOf(taker.filled + taker.remaining);
  return taker.filled === 0 ? whole : whole - orderCostOf(taker.filled);
}
