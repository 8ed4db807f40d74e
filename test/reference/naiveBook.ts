/**
 * A book as plainly as it can be written: one sorted array of plain objects a side. The twin of src/venue/engine/book.
 */

export interface NaiveOrder {
  readonly id: number;
  readonly side: "buy" | "sell";
  readonly price: number;
  remaining: number;
}

export interface NaiveFill {
  readonly maker: number;
  readonly price: number;
  readonly size: number;
}

/** What the suite asks of a book, naive or not. */
export interface BookUnderTest {
  add(id: number, side: "buy" | "sell", price: number, size: number): void;
  cancel(id: number): void;
  /** Takes up to a size within a limit; returns the fills, oldest and best first. */
  take(side: "buy" | "sell", limit: number, size: number): NaiveFill[];
  /** Best price, 0 for an empty side. */
  best(side: "buy" | "sell"): number;
  /** Resting orders of a side, in the order in which they would be taken: "id price remaining". */
  queue(side: "buy" | "sell"): string[];
  copy(): BookUnderTest;
}

export class NaiveBook implements BookUnderTest {
  bids: NaiveOrder[] = [];
  asks: NaiveOrder[] = [];

  private side(side: "buy" | "sell"): NaiveOrder[] {
    return side === "buy" ? this.bids : this.asks;
  }

  add(id: number, side: "buy" | "sell", price: number, size: number): void {
    const list = this.side(side);
    const after = list.findIndex((order) => (side === "buy" ? order.price < price : order.price > price));
    list.splice(after === -1 ? list.length : after, 0, { id, side, price, remaining: size });
  }

  cancel(id: number): void {
    this.bids = this.bids.filter((order) => order.id !== id);
    this.asks = this.asks.filter((order) => order.id !== id);
  }

  take(side: "buy" | "sell", limit: number, size: number): NaiveFill[] {
    const list = this.side(side === "buy" ? "sell" : "buy");
    const fills: NaiveFill[] = [];
    let left = size;
    while (left > 0 && list.length > 0) {
      const maker = list[0]!;
      if (side === "buy" ? maker.price > limit : maker.price < limit) break;
      const filled = Math.min(left, maker.remaining);
      fills.push({ maker: maker.id, price: maker.price, size: filled });
      left -= filled;
      maker.remaining -= filled;
      if (maker.remaining === 0) list.shift();
    }
    return fills;
  }

  best(side: "buy" | "sell"): number {
    return this.side(side)[0]?.price ?? 0;
  }

  queue(side: "buy" | "sell"): string[] {
    return this.side(side).map((order) => `${order.id} ${order.price} ${order.remaining}`);
  }

  copy(): NaiveBook {
    const copy = new NaiveBook();
    copy.bids = this.bids.map((order) => ({ ...order }));
    copy.asks = this.asks.map((order) => ({ ...order }));
    return copy;
  }
}
