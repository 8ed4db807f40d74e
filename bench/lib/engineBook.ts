import { columnsOf, createTable, NONE } from "../../src/ground/collections/table.ts";
import type { Amount, Lots, Ticks } from "../../src/ground/math/fixed.ts";
import type { OrderId } from "../../src/protocol/fields.ts";
import { Book } from "../../src/venue/engine/state/book.ts";
import { OrderIndex } from "../../src/venue/engine/state/orderIndex.ts";
import {
  type ExtraRow,
  FLAG_SELL,
  type OrderRow,
  type Orders,
  orderTable,
  type PositionRow,
} from "../../src/venue/engine/state/schema.ts";
import type { FillLog } from "./fillLog.ts";

/**
 * The engine's ladder, order table and order index, with what `openOrder`, `removeOrder` and `match` do to them and
 * nothing of accounts: no margin, fees, reserves, events, and no list of a position's orders.
 */
export class EngineBook {
  readonly orders: Orders = createTable(orderTable, 64);
  readonly index = new OrderIndex();
  readonly book = new Book();
  private readonly log: FillLog;

  constructor(log: FillLog) {
    this.log = log;
  }

  get live(): number {
    return this.index.count;
  }

  limit(id: number, side: number, price: number, size: number): void {
    const remaining = this.take(side, price, size);
    if (remaining === 0) return;
    const { orders } = this;
    const row = orders.rows.allocate();
    orders.id[row] = id as OrderId;
    orders.position[row] = NONE as PositionRow;
    orders.flags[row] = side;
    orders.price[row] = price as Ticks;
    orders.remaining[row] = remaining as Lots;
    orders.filled[row] = (size - remaining) as Lots;
    orders.orderCost[row] = 0 as Amount;
    orders.extra[row] = NONE as ExtraRow;
    orders.older[row] = NONE as OrderRow;
    orders.newer[row] = NONE as OrderRow;
    this.index.insert(orders, row);
    this.book.add(orders, row);
  }

  market(side: number, size: number): void {
    this.take(side, side === FLAG_SELL ? 1 : 0x7fff_ffff, size);
  }

  cancel(id: number): void {
    const row = this.index.find(this.orders, id);
    if (row !== NONE) this.remove(row);
  }

  private remove(row: OrderRow): void {
    const { orders } = this;
    this.book.remove(orders, row);
    this.index.remove(orders, row);
    orders.rows.release(row);
  }

  private take(side: number, limit: number, size: number): number {
    const { orders, book, log } = this;
    let remaining = size;
    while (remaining > 0) {
      const price = side === FLAG_SELL ? book.bestBid : book.bestAsk;
      if (price === 0 || (side === FLAG_SELL ? price < limit : price > limit)) break;
      const maker = book.head(price);
      const open: number = orders.remaining[maker]!;
      const lots = open < remaining ? open : remaining;
      remaining -= lots;
      log.add(orders.id[maker]!, price, lots);
      if (open === lots) {
        this.remove(maker);
      } else {
        orders.remaining[maker] = (open - lots) as Lots;
        orders.filled[maker] = (orders.filled[maker]! + lots) as Lots;
      }
    }
    return remaining;
  }

  /** Memory of order table, index and ladder as allocated, room to grow included. */
  byteLength(): number {
    const columns = columnsOf(orderTable, this.orders).reduce((sum, [, column]) => sum + column.byteLength, 0);
    return columns + this.orders.rows.link.byteLength + this.index.slots.byteLength + this.book.byteLength();
  }
}
