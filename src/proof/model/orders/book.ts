import { positionOf } from "../accounts.ts";
import { emit } from "../emitted.ts";
import type { Market, ModelState, Order, Side } from "../state.ts";

export function sideOf(market: Market, side: Side): Order[] {
  return side === "buy" ? market.bids : market.asks;
}

/** Best price of a side in ticks; undefined if it is empty. */
export function bestOf(market: Market, side: Side): bigint | undefined {
  return sideOf(market, side)[0]?.price;
}

export function opposite(side: Side): Side {
  return side === "buy" ? "sell" : "buy";
}

/** Whether a limit of one side meets a price of the other. */
export function crosses(side: Side, limit: bigint, price: bigint): boolean {
  return side === "buy" ? limit >= price : limit <= price;
}

/** Puts an order at the end of its price (ORD-1). */
export function restOrder(state: ModelState, order: Order): void {
  order.sequence = ++state.sequence;
  if (order.opened === 0) order.opened = order.sequence;
  positionOf(order.account, order.market);
  state.orders.set(order.id, order);
  const { market, side } = order;
  const better = (a: Order, b: Order) =>
    a.price === b.price ? a.sequence < b.sequence : a.price > b.price === (side === "buy");
  const orders = sideOf(market, side);
  const place = orders.findIndex((other) => better(order, other));
  const at = place < 0 ? orders.length : place;
  const after = [...orders.slice(0, at), order, ...orders.slice(at)];
  if (side === "buy") market.bids = after;
  else market.asks = after;
}

/**
 * Emits that an order rests on the book.
 *
 * @param remaining lots before the position cut the excess of a reduce-only order
 */
export function emitOpened(state: ModelState, order: Order, remaining: bigint): void {
  const { id, account, market, side, price, filled, orderCost, goodTilHeight, goodTilTime } = order;
  const { selfTrade, selfTradeScope } = order;
  const names = { order: id, account: account.id, market: market.ordinal, side };
  const ways = { reduceOnly: Number(order.reduceOnly), postOnly: order.postOnlyMode, goodTilHeight, goodTilTime };
  emit(state, "orderOpened", { ...names, price, remaining, filled, orderCost, ...ways, selfTrade, selfTradeScope });
}

/** Place of an amended order, and its new terms (ORD-4). */
export interface Amendment {
  readonly price: bigint;
  /** New size, before fills, self-trade prevention and the cut of a reduce-only order. */
  readonly remaining: bigint;
  /** Margin that the order reserves now; 0 if it enters as a new order. */
  readonly orderCost: bigint;
  /** False if it keeps its place. */
  readonly requeued: boolean;
  /** False if it enters as a new order. */
  readonly rests: boolean;
  readonly goodTilHeight: number;
  readonly goodTilTime: number;
}

/** Emits `orderAmended`, before every event that the amendment leads to (ORD-4). */
export function emitAmended(
  state: ModelState,
  { id, account, market }: Order,
  { price, remaining, orderCost, requeued, rests, goodTilHeight, goodTilTime }: Amendment,
): void {
  const names = { order: id, account: account.id, market: market.ordinal };
  const ways = { requeued: Number(requeued), rests: Number(rests), goodTilHeight, goodTilTime };
  emit(state, "orderAmended", { ...names, price, remaining, orderCost, ...ways });
}

/** 1 for a purchase, -1 for a sale. */
export function signOf(side: Side): bigint {
  return side === "buy" ? 1n : -1n;
}

/**
 * [low, high] of order prices, 1e-8 USD, rounded inwards; around the index alone before the first oracle price (ORD-5).
 */
export function bandOf({ oracle, index, parameters }: Market): { low: bigint; high: bigint } {
  const reported = oracle === 0n ? index : oracle;
  const lower = reported < index ? reported : index;
  const upper = reported > index ? reported : index;
  const low = lower * (1_000_000n - parameters.priceBand);
  return {
    low: low <= 0n ? 0n : (low + 999_999n) / 1_000_000n,
    high: (upper * (1_000_000n + parameters.priceBand)) / 1_000_000n,
  };
}

export function isInBand(market: Market, ticks: bigint): boolean {
  const { low, high } = bandOf(market);
  const price = ticks * market.parameters.tickSize;
  return price >= low && price <= high;
}
