import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Journal } from "../../../../src/ground/collections/journal.ts";
import { copyTable, createTable, NONE } from "../../../../src/ground/collections/table.ts";
import type { Lots, Ticks } from "../../../../src/ground/math/fixed.ts";
import type { OrderId } from "../../../../src/protocol/fields.ts";
import { Book } from "../../../../src/venue/engine/state/book.ts";
import { FLAG_SELL, type OrderRow, type Orders, orderTable } from "../../../../src/venue/engine/state/schema.ts";
import { type BookUnderTest, NaiveBook, type NaiveFill } from "../../../reference/naiveBook.ts";

/** The engine's book with the same few operations, driven as matching drives it: from the head of the best level. */
class LadderBook implements BookUnderTest {
  book = new Book();
  orders: Orders = createTable(orderTable, 2);
  rows = new Map<number, OrderRow>();

  add(id: number, side: "buy" | "sell", price: number, size: number): void {
    const row = this.orders.rows.allocate();
    this.orders.id[row] = id as OrderId;
    this.orders.flags[row] = side === "buy" ? 0 : FLAG_SELL;
    this.orders.price[row] = price as Ticks;
    this.orders.remaining[row] = size as Lots;
    this.book.add(this.orders, row);
    this.rows.set(id, row);
  }

  cancel(id: number): void {
    const row = this.rows.get(id);
    if (row === undefined) return;
    this.book.remove(this.orders, row);
    this.orders.rows.release(row);
    this.rows.delete(id);
  }

  take(side: "buy" | "sell", limit: number, size: number): NaiveFill[] {
    const fills: NaiveFill[] = [];
    let left = size;
    while (left > 0) {
      const price = this.best(side === "buy" ? "sell" : "buy");
      if (price === 0 || (side === "buy" ? price > limit : price < limit)) break;
      const row = this.book.head(price as Ticks);
      const id = this.orders.id[row]!;
      const filled = Math.min(left, this.orders.remaining[row]!);
      fills.push({ maker: id, price, size: filled });
      left -= filled;
      this.orders.remaining[row] = (this.orders.remaining[row]! - filled) as Lots;
      if (this.orders.remaining[row] === 0) this.cancel(id);
    }
    return fills;
  }

  best(side: "buy" | "sell"): number {
    return side === "buy" ? this.book.bestBid : this.book.bestAsk;
  }

  queue(side: "buy" | "sell"): string[] {
    const lines: string[] = [];
    const { book, orders } = this;
    for (
      let price = this.best(side);
      price !== 0;
      price = side === "buy" ? book.below(price as Ticks) : book.above(price as Ticks)
    ) {
      let previous = NONE;
      for (let row = book.head(price as Ticks); row !== NONE; row = orders.levelNext[row]!) {
        expect(orders.levelPrevious[row]).toBe(previous);
        lines.push(`${orders.id[row]} ${orders.price[row]} ${orders.remaining[row]}`);
        previous = row;
      }
    }
    return lines;
  }

  copy(): LadderBook {
    const copy = new LadderBook();
    copy.book = this.book.copy();
    copy.orders = copyTable(orderTable, this.orders);
    copy.rows = new Map(this.rows);
    return copy;
  }
}

const MOST = 2 ** 31 - 1;

describe.each([
  ["the naive book", () => new NaiveBook()],
  ["the ladder", () => new LadderBook()],
] as [string, () => BookUnderTest][])("%s", (_name, create) => {
  test("is empty at first, and has no best price", () => {
    const book = create();
    expect([book.best("buy"), book.best("sell"), book.queue("buy"), book.queue("sell")]).toEqual([0, 0, [], []]);
    expect(book.take("buy", MOST, 5)).toEqual([]);
  });

  test("takes better prices first, and older orders first within a price", () => {
    const book = create();
    book.add(1, "sell", 101, 5);
    book.add(2, "sell", 100, 5);
    book.add(3, "sell", 100, 5);
    expect(book.queue("sell")).toEqual(["2 100 5", "3 100 5", "1 101 5"]);
    expect(book.take("buy", 101, 12)).toEqual([
      { maker: 2, price: 100, size: 5 },
      { maker: 3, price: 100, size: 5 },
      { maker: 1, price: 101, size: 2 },
    ]);
    expect(book.queue("sell")).toEqual(["1 101 3"]);
    expect(book.take("buy", 100, 1)).toEqual([]);
  });

  test("keeps the place of an order that was filled in part", () => {
    const book = create();
    book.add(1, "buy", 100, 5);
    book.add(2, "buy", 100, 5);
    book.take("sell", 100, 2);
    expect(book.queue("buy")).toEqual(["1 100 3", "2 100 5"]);
  });

  test("finds the next best price over any distance, up to both ends of the range", () => {
    const book = create();
    const prices = [1, 2, 31, 32, 33, 1023, 1024, 4095, 4096, 4097, 1_000_000, 2 ** 30, MOST - 1];
    prices.forEach((price, place) => {
      book.add(place + 1, "buy", price, 1);
    });
    book.add(99, "sell", MOST, 1);
    expect(book.best("sell")).toBe(MOST);
    for (const price of prices.toReversed()) {
      expect(book.best("buy")).toBe(price);
      expect(book.take("sell", 1, 1).map((fill) => fill.price)).toEqual([price]);
    }
    expect(book.best("buy")).toBe(0);
    book.cancel(99);
    expect(book.best("sell")).toBe(0);
  });

  test("a copy and its original are independent", () => {
    const book = create();
    book.add(1, "buy", 100, 5);
    const copy = book.copy();
    copy.cancel(1);
    copy.add(2, "buy", 90, 1);
    book.add(3, "buy", 100, 1);
    expect([book.queue("buy"), copy.queue("buy")]).toEqual([["1 100 5", "3 100 1"], ["2 90 1"]]);
  });

  test("a copy and its original each make and leave far prices of their own", () => {
    const book = create();
    book.add(1, "buy", 1, 5);
    book.add(2, "sell", MOST, 5);
    const [copy, other] = [book.copy(), book.copy()];
    book.add(3, "buy", 5000, 1);
    copy.cancel(2);
    copy.add(4, "buy", 1_000_000, 1);
    other.cancel(1);
    expect([book.queue("buy"), book.queue("sell")]).toEqual([["3 5000 1", "1 1 5"], [`2 ${MOST} 5`]]);
    expect([copy.queue("buy"), copy.queue("sell")]).toEqual([["4 1000000 1", "1 1 5"], []]);
    expect([other.queue("buy"), other.queue("sell")]).toEqual([[], [`2 ${MOST} 5`]]);
  });
});

// Goal: the ladder is a book. Method: the same random operations on both; prices near each other, at edges of words,
// groups and pages, and wild; now and then both are copied, and either the copies or the originals continue. The others
// stay unchanged.
describe("under random operations the ladder equals a naive book", () => {
  const near = fc.integer({ min: 9_990, max: 10_010 });
  const edge = fc
    .record({ base: fc.constantFrom(32, 1024, 4096, 8192, 1 << 20, 1 << 28), off: fc.integer({ min: -2, max: 2 }) })
    .map(({ base, off }) => base + off);
  const wild = fc.integer({ min: 1, max: MOST });
  const operation = (price: fc.Arbitrary<number>) =>
    fc.oneof(
      {
        weight: 5,
        arbitrary: fc.record({
          kind: fc.constant("place" as const),
          side: fc.constantFrom("buy" as const, "sell" as const),
          price,
          size: fc.integer({ min: 1, max: 9 }),
        }),
      },
      { weight: 3, arbitrary: fc.record({ kind: fc.constant("cancel" as const), at: fc.nat() }) },
      { weight: 1, arbitrary: fc.record({ kind: fc.constant("copy" as const), stays: fc.boolean() }) },
    );

  test.each([
    ["near", near, 60],
    ["at edges", edge, 60],
    ["wild", wild, 8],
    ["mixed", fc.oneof(near, edge, wild), 12],
  ])("prices %s", (_name, price, numRuns) => {
    let fills = 0;
    fc.assert(
      fc.property(fc.array(operation(price), { maxLength: 120, size: "max" }), (operations) => {
        let naive: BookUnderTest = new NaiveBook();
        let ladder = new LadderBook();
        const ids: number[] = [];
        const left: { naive: BookUnderTest; ladder: LadderBook }[] = [];
        operations.forEach((step, place) => {
          if (step.kind === "copy") {
            const copies = { naive: naive.copy(), ladder: ladder.copy() };
            left.push(step.stays ? copies : { naive, ladder });
            if (!step.stays) ({ naive, ladder } = copies);
          } else if (step.kind === "cancel") {
            const id = ids[step.at % Math.max(1, ids.length)] ?? 0;
            naive.cancel(id);
            ladder.cancel(id);
          } else {
            const { side, price: limit, size } = step;
            const taken = naive.take(side, limit, size);
            expect(ladder.take(side, limit, size)).toEqual(taken);
            fills += taken.length;
            const rest = size - taken.reduce((sum, fill) => sum + fill.size, 0);
            if (rest > 0) {
              naive.add(place + 1, side, limit, rest);
              ladder.add(place + 1, side, limit, rest);
              ids.push(place + 1);
            }
          }
          for (const side of ["buy", "sell"] as const) expect(ladder.best(side)).toBe(naive.best(side));
        });
        for (const books of [...left, { naive, ladder }]) {
          for (const side of ["buy", "sell"] as const)
            expect(books.ladder.queue(side)).toEqual(books.naive.queue(side));
          const { keys, directory } = books.ladder.book;
          expect(keys).toEqual([...directory.keys()].filter((key) => directory[key] !== NONE));
        }
      }),
      { numRuns },
    );
    expect(fills).toBeGreaterThan(20);
  });
});

describe("memory of the ladder", () => {
  test("an undone order at a far price leaves no page", () => {
    const ladder = new LadderBook();
    ladder.add(1, "sell", 5000, 1);
    const journal = new Journal();
    ladder.book.journal = journal;
    ladder.add(2, "sell", 1_000_000, 1);
    expect(ladder.book.keys).toEqual([1, 244]);
    journal.undo();
    ladder.book.journal = undefined;
    expect(ladder.book.keys).toEqual([1]);
    expect(ladder.queue("sell")).toEqual(["1 5000 1"]);
  });

  test("empty pages are used again, so a moving price costs no more memory than a constant one", () => {
    const ladder = new LadderBook();
    for (let step = 0; step < 300; step++) {
      ladder.add(step, "buy", 1 + step * 4096, 1);
      if (step >= 2) ladder.cancel(step - 2);
    }
    expect(ladder.book.pages).toBeLessThanOrEqual(3);
    expect(ladder.queue("buy")).toHaveLength(2);
  });

  test("a page is given back with its last level, not before", () => {
    const ladder = new LadderBook();
    ladder.add(1, "sell", 5000, 1);
    ladder.add(2, "sell", 5000, 1);
    ladder.add(3, "sell", 5001, 1);
    ladder.cancel(1);
    ladder.cancel(3);
    expect(ladder.book.freePages).toEqual([]);
    ladder.cancel(2);
    expect(ladder.book.freePages).toHaveLength(1);
    ladder.add(4, "buy", 7, 1);
    expect([ladder.book.pages, ladder.queue("buy")]).toEqual([1, ["4 7 1"]]);
  });
});
