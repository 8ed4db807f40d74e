import { NONE } from "../../../ground/collections/table.ts";
import { POST_ONLY_MODES, SELF_TRADE_MODES, SELF_TRADE_SCOPES } from "../../../protocol/words.ts";
import { getClientOrderId, getGrant, getLastHeight, getLastTime } from "../../../venue/engine/book/extras.ts";
import {
  FLAG_REDUCE_ONLY,
  getPostOnly,
  getSelfTradeMode,
  getSelfTradeScope,
  type OrderRow,
} from "../../../venue/engine/state/schema.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import type { Market, ModelState, Order } from "../../model/state.ts";
import { type Comparison, isSame } from "./comparison.ts";

/**
 * Compares the orders of a side, best first. It visits only the model's prices: `compareCount` finds an order of the
 * venue at any other price. A walk over the venue's own prices would be slow with orders far from the touch.
 */
export function compareSide(
  comparison: Comparison,
  venue: State,
  { name, ordinal }: Market,
  side: "bid" | "ask",
  orders: readonly Order[],
): void {
  const book = venue.books[ordinal]!;
  const { levelNext } = venue.orders;
  const where = () => `${name}'s ${side}`;
  comparison.of(where)("s' best price (ORD-1)", side === "bid" ? book.bestBid : book.bestAsk, orders[0]?.price ?? 0n);
  let row = NONE as OrderRow;
  for (const [place, order] of orders.entries()) {
    const isFirst = place === 0 || orders[place - 1]!.price !== order.price;
    if (isFirst && row !== NONE) compareOrder(comparison, venue, where, row, undefined, place);
    if (isFirst) row = book.head(Number(order.price) as never);
    compareOrder(comparison, venue, where, row === NONE ? undefined : row, order, place + 1);
    if (row !== NONE) row = levelNext[row]!;
  }
  if (row !== NONE) compareOrder(comparison, venue, where, row, undefined, orders.length + 1);
}

/** Reports orders that rest in the venue but not in the model (ORD-4). */
export function compareCount(comparison: Comparison, { orders }: State, model: ModelState): void {
  if (orders.rows.count === model.orders.size) return;
  for (let row = 0 as OrderRow; row < orders.rows.high; row++) {
    const id = orders.id[row]!;
    if (orders.rows.isLive(row) && !model.orders.has(id)) comparison.same(`order ${id}`, "resting", "none");
  }
}

function compareOrder(
  comparison: Comparison,
  venue: State,
  side: () => string,
  row: OrderRow | undefined,
  order: Order | undefined,
  place: number,
): void {
  if (comparison.isFull) return;
  const { orders, positions } = venue;
  const account = row === undefined ? NONE : positions.account[orders.position[row]!];
  const isIt =
    row !== undefined &&
    order !== undefined &&
    orders.id[row] === order.id &&
    account === order.account.id &&
    isSame(orders.price[row], order.price) &&
    isSame(orders.remaining[row], order.remaining);
  if (!isIt) {
    const describe = (id: number, price: unknown, remaining: unknown, owner: number) =>
      `${id} of ${comparison.nameOf(owner)}, ${String(remaining)} at ${String(price)}`;
    const ours =
      row === undefined ? "none" : describe(orders.id[row]!, orders.price[row]!, orders.remaining[row]!, account!);
    const theirs = order === undefined ? "none" : describe(order.id, order.price, order.remaining, order.account.id);
    comparison.same(`${side()} ${place}`, ours, theirs);
    return;
  }
  const same = comparison.of(() => `${side()} ${place}, order ${order.id}: `);
  const flags = orders.flags[row]!;
  same("filled", orders.filled[row], order.filled);
  same("orderCost", orders.orderCost[row], order.orderCost);
  same("reduce-only", (flags & FLAG_REDUCE_ONLY) !== 0, order.reduceOnly);
  same("post-only (ORD-2)", POST_ONLY_MODES[getPostOnly(flags)], order.postOnlyMode);
  same("last height", getLastHeight(venue, row), order.goodTilHeight);
  same("last time", getLastTime(venue, row), order.goodTilTime);
  same("client order id", getClientOrderId(venue, row), order.clientOrderId);
  same("self-trade mode (ORD-4)", SELF_TRADE_MODES[getSelfTradeMode(orders.selfTrade[row]!)], order.selfTrade);
  same("self-trade scope (ORD-4)", SELF_TRADE_SCOPES[getSelfTradeScope(orders.selfTrade[row]!)], order.selfTradeScope);
  same("grant (AUT)", getGrant(venue, row), order.grant?.ordinal ?? NONE);
}
