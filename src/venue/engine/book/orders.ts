import { NONE } from "../../../ground/collections/table.ts";
import type { Amount, Lots, Ticks } from "../../../ground/math/fixed.ts";
import type { OrderId } from "../../../protocol/fields.ts";
import { POST_ONLY } from "../../../protocol/words.ts";
import { countAgentOrder } from "../authorization/limits.ts";
import { keepOrder, keepPosition } from "../state/journalRows.ts";
import { releaseIfEmpty } from "../state/positions.ts";
import {
  type AuthorizationRow,
  FLAG_AGENT,
  FLAG_POST_ONLY,
  FLAG_REDUCE_ONLY,
  FLAG_SELL,
  FLAG_SLIDE,
  type OrderRow,
  type PositionRow,
  packSelfTrade,
} from "../state/schema.ts";
import type { State } from "../state/state.ts";
import { computeRemainingOrderCost } from "../valuation/orderCost.ts";
import { closeExtra, getGrant, openExtra } from "./extras.ts";

/** Values of a new resting order. */
export interface NewOrder {
  readonly id: OrderId;
  readonly position: PositionRow;
  readonly side: number;
  readonly reduceOnly: boolean;
  readonly price: Ticks;
  readonly remaining: Lots;
  readonly filled: Lots;
  readonly orderCost: Amount;
  readonly clientOrderId: string;
  readonly postOnly: number;
  /** Mode and scope that it has when an amendment makes it a taker (ORD-4). */
  readonly selfTrade: number;
  readonly selfTradeScope: number;
  /** 0 for none. */
  readonly goodTilHeight: number;
  readonly goodTilTime: number;
  /** Grant under which it was entered, NONE for none. */
  readonly grant: AuthorizationRow;
}

/** Rests an order: row, index, list of its position, reserve, book. It must not cross. */
export function openOrder(state: State, order: NewOrder): OrderRow {
  const row = state.journal.allocate(state.orders);
  keepPosition(state, order.position);
  const { orders, positions } = state;
  const { position } = order;
  const account = positions.account[position];
  const market = positions.market[position];
  orders.id[row] = order.id;
  orders.position[row] = position;
  orders.flags[row] =
    (order.side === 0 ? 0 : FLAG_SELL) |
    (order.reduceOnly ? FLAG_REDUCE_ONLY : 0) |
    (order.postOnly === POST_ONLY.no ? 0 : FLAG_POST_ONLY) |
    (order.postOnly === POST_ONLY.slide ? FLAG_SLIDE : 0) |
    (order.grant === NONE ? 0 : FLAG_AGENT);
  orders.selfTrade[row] = packSelfTrade(order.selfTrade, order.selfTradeScope);
  orders.price[row] = order.price;
  orders.remaining[row] = order.remaining;
  orders.filled[row] = order.filled;
  orders.orderCost[row] = order.orderCost;
  openExtra(state, row, order);
  const newest = positions.orders[position];
  orders.older[row] = newest;
  orders.newer[row] = NONE as OrderRow;
  if (newest !== NONE) {
    if (state.journal.on) state.journal.cell(orders.newer, newest);
    orders.newer[newest] = row;
  }
  positions.orders[position] = row;
  positions.orderCount[position]++;
  state.orderIndex.insert(orders, row);
  addReserve(state, row, order.remaining, order.orderCost);
  state.books[market]!.add(orders, row);
  state.events.orderOpened({
    order: order.id,
    account,
    market,
    side: order.side,
    reduceOnly: order.reduceOnly ? 1 : 0,
    postOnly: order.postOnly,
    selfTrade: order.selfTrade,
    selfTradeScope: order.selfTradeScope,
    price: order.price,
    remaining: order.remaining,
    filled: order.filled,
    orderCost: order.orderCost,
    client: order.clientOrderId === "" ? NONE : state.events.text(order.clientOrderId),
    goodTilHeight: order.goodTilHeight,
    goodTilTime: order.goodTilTime,
  });
  if (order.grant !== NONE) {
    countAgentOrder(state, order.grant, 1);
    state.events.authorizationOrder({ authorization: order.grant, order: order.id });
  }
  return row;
}

/** Takes an order out of everything; writes no event. Its position row stays, also when it is empty now. */
export function removeOrder(state: State, row: OrderRow): void {
  keepOrder(state, row);
  const { orders, positions } = state;
  const position = orders.position[row];
  const market = positions.market[position];
  const { watched, ended } = state.intentIndex;
  if (watched.size !== 0 && watched.has(orders.id[row])) ended.push(orders.id[row], positions.account[position]);
  if ((orders.flags[row] & FLAG_AGENT) !== 0) countAgentOrder(state, getGrant(state, row), -1);
  state.books[market]!.remove(orders, row);
  state.orderIndex.remove(orders, row);
  if (orders.extra[row] !== NONE) closeExtra(state, row);
  addReserve(state, row, (0 - orders.remaining[row]) as Lots, (0 - orders.orderCost[row]) as Amount);
  const newer = orders.newer[row];
  const older = orders.older[row];
  if (state.journal.on) {
    if (newer !== NONE) state.journal.cell(orders.older, newer);
    if (older !== NONE) state.journal.cell(orders.newer, older);
  }
  if (newer === NONE) positions.orders[position] = older;
  else orders.older[newer] = older;
  if (older !== NONE) orders.newer[older] = newer;
  positions.orderCount[position]--;
  orders.rows.release(row);
}

/** Cancels a resting order, emits it, and frees its position row if that is empty. */
export function dropOrder(state: State, row: OrderRow, cause: number): void {
  const position = state.orders.position[row];
  cancelRow(state, row, cause);
  releaseIfEmpty(state, position);
}

/** Cancels a resting order and emits it. Its position row stays, for a caller that still works with it. */
export function cancelRow(state: State, row: OrderRow, cause: number): void {
  const { orders, positions } = state;
  const position = orders.position[row];
  state.events.orderCancelled({
    order: orders.id[row],
    account: positions.account[position],
    market: positions.market[position],
    remaining: orders.remaining[row],
    cause,
  });
  removeOrder(state, row);
}

/** Shrinks a resting order in place to `remaining` > 0 lots, its order cost pro rata. */
export function shrinkOrder(state: State, row: OrderRow, remaining: Lots): void {
  keepOrder(state, row);
  const { orders } = state;
  const orderCost = computeRemainingOrderCost(orders.orderCost[row], orders.remaining[row], remaining) as Amount;
  addReserve(state, row, (remaining - orders.remaining[row]) as Lots, (orderCost - orders.orderCost[row]) as Amount);
  orders.remaining[row] = remaining;
  orders.orderCost[row] = orderCost;
}

/** Shrinks a resting order as `shrinkOrder` does, and emits `orderResized` with the cause (EVT-3). */
export function resizeOrder(state: State, row: OrderRow, remaining: Lots, cause: number): void {
  shrinkOrder(state, row, remaining);
  const { id, remaining: lots, orderCost } = state.orders;
  state.events.orderResized({ order: id[row], remaining: lots[row], orderCost: orderCost[row], cause });
}

/** Adds lots and cost of an order to the sums that its position keeps (MRG-3). */
export function addReserve(state: State, row: OrderRow, lots: Lots, orderCost: Amount): void {
  const { orders, positions } = state;
  const position = orders.position[row];
  const flags = orders.flags[row];
  if ((flags & FLAG_REDUCE_ONLY) !== 0) {
    positions.reduceOnly[position] = (positions.reduceOnly[position] + lots) as Lots;
  } else if ((flags & FLAG_SELL) !== 0) {
    positions.sells[position] = (positions.sells[position] + lots) as Lots;
    positions.sellOrderCost[position] = (positions.sellOrderCost[position] + orderCost) as Amount;
  } else {
    positions.buys[position] = (positions.buys[position] + lots) as Lots;
    positions.buyOrderCost[position] = (positions.buyOrderCost[position] + orderCost) as Amount;
  }
}
