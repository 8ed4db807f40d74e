import { NONE } from "../../../ground/collections/table.ts";
import type { Lots } from "../../../ground/math/fixed.ts";
import { CANCEL_CAUSE } from "../../../protocol/events.ts";
import { REDUCE_ONLY_RESTING } from "../../../protocol/words.ts";
import { cancelRow, resizeOrder } from "../book/orders.ts";
import { FLAG_REDUCE_ONLY, FLAG_SELL, type MarketRow, type OrderRow, type PositionRow } from "../state/schema.ts";
import type { State } from "../state/state.ts";

/**
 * Makes the reduce-only orders of a position fit it after it changed (ORD-9), newest first. With `trim` the sum of them
 * stays within the position; with `capAtMatch` they stay as they are while they still reduce. Orders that no longer
 * close anything are cancelled with either value. The position row stays. Cost: once per resting order of the position.
 */
export function fitReduceOnly(state: State, position: PositionRow): void {
  const { positions, orders } = state;
  if (positions.reduceOnly[position] === 0) return;
  const trims = isTrimming(state, positions.market[position]);
  let at = positions.orders[position];
  while (at !== NONE) {
    const older = orders.older[at];
    if ((orders.flags[at] & FLAG_REDUCE_ONLY) !== 0) {
      const room = getRoom(state, at);
      if (room > 0 && !trims) return;
      const excess = positions.reduceOnly[position] - room;
      if (excess <= 0) return;
      cut(state, at, room === 0 ? 0 : orders.remaining[at] - excess);
    }
    at = older;
  }
}

/** Lots of an entering order that exceed the position left, and the lots of other orders that count against it. */
export interface EntryCut {
  readonly cancelled: number;
  readonly others: number;
}

/**
 * Cuts a reduce-only order that has just come to rest (ORD-9): to the position, and with `trim` less the account's
 * other reduce-only orders. It is cancelled where that leaves nothing. Undefined where it may rest whole.
 */
export function cutAtEntry(state: State, order: OrderRow): EntryCut | undefined {
  const { positions, orders } = state;
  const position = orders.position[order];
  const remaining: number = orders.remaining[order];
  const others = isTrimming(state, positions.market[position]) ? positions.reduceOnly[position] - remaining : 0;
  const most = Math.max(0, getRoom(state, order) - others);
  if (remaining <= most) return undefined;
  cut(state, order, most);
  return { cancelled: remaining - most, others };
}

/**
 * Cuts a maker's reduce-only order that a taker meets to the position that is left (ORD-9).
 *
 * @returns false if that left nothing and the order was cancelled. Its position row stays.
 */
export function cutAtMatch(state: State, order: OrderRow): boolean {
  const room = getRoom(state, order);
  if (state.orders.remaining[order] > room) cut(state, order, room);
  return room > 0;
}

/**
 * Trims every position of a market whose parameter is now `trim`, by account (ORD-9). Cost: once per position of the
 * venue.
 */
export function trimMarket(state: State, market: MarketRow): void {
  const { positions } = state;
  const found: PositionRow[] = [];
  for (let at = 0 as PositionRow; at < positions.rows.high; at++) {
    if (!positions.rows.isLive(at) || positions.market[at] !== market || positions.reduceOnly[at] === 0) continue;
    found.push(at);
  }
  found.sort((a, b) => positions.account[a] - positions.account[b]);
  for (const position of found) fitReduceOnly(state, position);
}

function isTrimming(state: State, market: MarketRow): boolean {
  return state.parameters[market]!.reduceOnlyResting === REDUCE_ONLY_RESTING.trim;
}

/** Lots of the position that an order on its side may close. */
function getRoom({ positions, orders }: State, order: OrderRow): number {
  const signedLots: number = positions.signedLots[orders.position[order]];
  const room = (orders.flags[order] & FLAG_SELL) !== 0 ? signedLots : -signedLots;
  return room > 0 ? room : 0;
}

/** Cuts an order to so many lots; with none left it is cancelled. */
function cut(state: State, order: OrderRow, remaining: number): void {
  if (remaining <= 0) cancelRow(state, order, CANCEL_CAUSE.reduceOnly);
  else resizeOrder(state, order, remaining as Lots, CANCEL_CAUSE.reduceOnly);
}
