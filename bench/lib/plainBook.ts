import { FLAG_SELL } from "../../src/venue/engine/state/schema.ts";
import type { FillLog } from "./fillLog.ts";

interface PlainOrder {
  readonly id: number;
  readonly side: number;
  readonly price: number;
  remaining: number;
}

interface PlainLevel {
  readonly price: number;
  readonly orders: PlainOrder[];
}

/**
 * An order book as one writes it first: objects, a sorted array of levels a side, a queue a level, a `Map` of ids. The
 * fills of every other book are held against its fills.
 */
export class PlainBook {
  /** Bids and asks, best level last. */
  private readonly sides: readonly [PlainLevel[], PlainLevel[]] = [[], []];
  private readonly orders = new Map<number, PlainOrder>();
  private readonly log: FillLog;
  private readonly onGone: (id: number) => void;

  /** @param onGone called with every order that a fill used up */
  constructor(log: FillLog, onGone: (id: number) => void = () => {}) {
    this.log = log;
    this.onGone = onGone;
  }

  get live(): number {
    return this.orders.size;
  }

  limit(id: number, side: number, price: number, size: number): void {
    const remaining = this.take(side, price, size);
    if (remaining === 0) return;
    const order = { id, side, price, remaining };
    const levels = this.sides[side]!;
    const at = findLevel(levels, side, price);
    if (levels[at]?.price === price) levels[at].orders.push(order);
    else levels.splice(at, 0, { price, orders: [order] });
    this.orders.set(id, order);
  }

  market(side: number, size: number): void {
    this.take(side, side === FLAG_SELL ? 0 : Number.POSITIVE_INFINITY, size);
  }

  cancel(id: number): void {
    const order = this.orders.get(id);
    if (order === undefined) return;
    this.orders.delete(id);
    const levels = this.sides[order.side]!;
    const at = findLevel(levels, order.side, order.price);
    const { orders } = levels[at]!;
    orders.splice(orders.indexOf(order), 1);
    if (orders.length === 0) levels.splice(at, 1);
  }

  private take(side: number, limit: number, size: number): number {
    const levels = this.sides[1 - side]!;
    let remaining = size;
    while (remaining > 0 && levels.length > 0) {
      const { price, orders } = levels[levels.length - 1]!;
      if (side === FLAG_SELL ? price < limit : price > limit) break;
      const maker = orders[0]!;
      const lots = Math.min(maker.remaining, remaining);
      remaining -= lots;
      maker.remaining -= lots;
      this.log.add(maker.id, price, lots);
      if (maker.remaining > 0) break;
      orders.shift();
      if (orders.length === 0) levels.pop();
      this.orders.delete(maker.id);
      this.onGone(maker.id);
    }
    return remaining;
  }
}

/** Place of a price, stored or not, in levels whose best is last: bids rise, asks fall. */
function findLevel(levels: readonly PlainLevel[], side: number, price: number): number {
  let low = 0;
  let high = levels.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const before = side === FLAG_SELL ? levels[middle]!.price > price : levels[middle]!.price < price;
    if (before) low = middle + 1;
    else high = middle;
  }
  return low;
}
