import { expect, test } from "vitest";
import { Random } from "../../../../src/ground/math/random.ts";
import { BookFlag } from "../../../../src/product/market-data/types.ts";
import type { BookSide } from "../../../../src/product/replay/book/bookSide.ts";
import { NO_SLOT } from "../../../../src/product/replay/book/priceLadder.ts";
import { ReplayBook } from "../../../../src/product/replay/book/replayBook.ts";
import { PlainBook } from "./plainBook.ts";

function listShown(side: BookSide): [number, number][] {
  const found: [number, number][] = [];
  for (let slot = side.best; slot !== NO_SLOT; slot = side.worse[slot]!) {
    const lots = side.shown[slot]!;
    if (lots > 0) found.push([side.ticks[slot]!, lots]);
  }
  return found;
}

const show = (book: ReplayBook) => ({ bids: listShown(book.bids), asks: listShown(book.asks) });

/** A book of one update: prices and lots. */
function openBook(bids: readonly [number, number][], asks: readonly [number, number][]): ReplayBook {
  const book = new ReplayBook();
  update(book, 1, { bids, asks, flags: BookFlag.snapshot | BookFlag.first });
  return book;
}

interface Update {
  readonly bids?: readonly [number, number][];
  readonly asks?: readonly [number, number][];
  readonly flags?: number;
}

function update(book: ReplayBook, timeMs: number, { bids = [], asks = [], flags = 0 }: Update): void {
  let isFirst = true;
  for (const [isBid, levels] of [
    [true, bids],
    [false, asks],
  ] as const) {
    for (const [ticks, lots] of levels) {
      book.setLevel(isBid, ticks, lots, false, timeMs, 0, isFirst ? flags : flags & BookFlag.snapshot);
      isFirst = false;
    }
  }
  book.end();
}

test("a book of drawn updates, quotes and trades shows what its rules say, level by level", () => {
  for (let seed = 1; seed <= 40; seed++) {
    const random = Random.ofSeed([seed, 41]);
    const book = new ReplayBook();
    const plain = new PlainBook();
    const width = random.pick([4, 30, 700]);
    let middle = random.between(1_000, 2_000);
    const isQuoted = random.chance(1, 5);
    for (let round = 1; round <= 300; round++) {
      if (random.chance(1, 3)) {
        const isBuy = random.chance(1, 2);
        const [at, lots] = [middle + random.between(-4, 4), random.between(1, 12)];
        book.trade(isBuy, at, lots);
        plain.trade(isBuy, at, lots);
      } else {
        if (random.chance(1, 6)) middle = Math.max(1_000, middle + random.between(-width, width));
        const flags = round === 1 || random.chance(1, 30) ? BookFlag.snapshot | BookFlag.first : 0;
        plain.begin();
        for (let row = 0; row < (isQuoted ? 2 : random.between(1, 9)); row++) {
          const isBid = isQuoted ? row === 0 : random.chance(1, 2);
          const name = isBid ? "bid" : "ask";
          const away = random.between(random.chance(1, 8) ? -2 : 1, width);
          const lots = random.chance(1, 4) ? 0 : random.between(1, 20);
          const ticks = isBid ? middle - away : middle + away;
          if (isQuoted) {
            book.setBest(isBid, lots === 0 ? 0 : ticks, lots, false, round, 0);
            plain.setBest(name, lots === 0 ? 0 : ticks, lots);
          } else {
            book.setLevel(isBid, ticks, lots, false, round, 0, row === 0 ? flags : 0);
            plain.set(name, ticks, lots, row === 0 ? flags : 0);
          }
        }
        book.end();
        plain.end();
      }
      expect({ seed, round, ...show(book) }).toEqual({ seed, round, bids: plain.list("bid"), asks: plain.list("ask") });
    }
    expect(book.notes.crossed).toBe(plain.crossed);
  }
});

test("a trade before the change that it caused counts once", () => {
  const book = openBook([[100, 5]], [[101, 5]]);
  book.trade(false, 100, 3);
  expect(show(book).bids).toEqual([[100, 2]]);
  update(book, 2, { bids: [[100, 2]] });
  expect(show(book).bids).toEqual([[100, 2]]);
});

test("a trade after the change that it caused counts once", () => {
  const book = openBook([[100, 5]], [[101, 5]]);
  update(book, 2, { bids: [[100, 2]] });
  expect(book.trade(false, 100, 3)).toBe(3);
  expect(show(book).bids).toEqual([[100, 2]]);
  // What a change has explained once does not explain a further trade.
  expect(book.trade(false, 100, 1)).toBe(0);
  expect(show(book).bids).toEqual([[100, 1]]);
});

test("a change of an earlier update does not explain a trade", () => {
  const book = openBook([[100, 5]], [[101, 5]]);
  update(book, 2, { bids: [[100, 2]] });
  update(book, 3, { asks: [[101, 4]] });
  expect(book.trade(false, 100, 1)).toBe(0);
  expect(show(book).bids).toEqual([[100, 1]]);
});

test("a trade empties better prices and its own until the next update", () => {
  const book = openBook(
    [
      [100, 5],
      [99, 4],
      [98, 3],
    ],
    [[101, 5]],
  );
  book.trade(false, 99, 1);
  expect(show(book).bids).toEqual([
    [99, 3],
    [98, 3],
  ]);
  update(book, 2, { asks: [[101, 6]] });
  expect(show(book)).toEqual({
    bids: [
      [100, 5],
      [99, 4],
      [98, 3],
    ],
    asks: [[101, 6]],
  });
});

test("a snapshot replaces the book, and a quote replaces its side", () => {
  const book = openBook(
    [
      [100, 5],
      [99, 4],
    ],
    [[101, 5]],
  );
  update(book, 2, { bids: [[99, 7]], asks: [[103, 1]], flags: BookFlag.snapshot | BookFlag.first });
  expect(show(book)).toEqual({ bids: [[99, 7]], asks: [[103, 1]] });
  book.setBest(true, 98, 2, false, 3, 0);
  book.setBest(false, 0, 0, false, 3, 0);
  book.end();
  expect(show(book)).toEqual({ bids: [[98, 2]], asks: [] });
});

test("of a bid and an ask that meet, the older one goes, and the notes count it", () => {
  const book = openBook(
    [
      [100, 5],
      [99, 4],
    ],
    [
      [101, 5],
      [102, 6],
    ],
  );
  update(book, 2, { bids: [[101, 3]] });
  expect(show(book)).toEqual({
    bids: [
      [101, 3],
      [100, 5],
      [99, 4],
    ],
    asks: [[102, 6]],
  });
  expect(book.notes).toMatchObject({ crossed: 1, levelsOut: 1 });
});

test("a best price that moves by 600 ticks, and 10,000 levels, keep every level", () => {
  const bids: [number, number][] = [];
  for (let level = 0; level < 10_000; level++) bids.push([20_000 - level, level + 1]);
  const book = openBook(bids, [[20_001, 1]]);
  expect(show(book).bids).toEqual(bids);
  const gone = bids.slice(0, 600).map(([ticks]): [number, number] => [ticks, 0]);
  update(book, 2, { bids: gone, asks: [[19_401, 9]] });
  expect(show(book).bids).toEqual(bids.slice(600));
  expect(show(book).asks[0]).toEqual([19_401, 9]);
});

test("a book in the memory of one that has ended is as one in memory of its own, wherever its prices are", () => {
  const runs = [
    { middle: 1_000, width: 20 },
    { middle: 2_000_000, width: 900_000 },
    { middle: 1_400, width: 300 },
    { middle: 2 ** 31 - 900, width: 800 },
  ];
  for (let seed = 1; seed <= 30; seed++) {
    const random = Random.ofSeed([seed, 71]);
    const { middle, width } = random.pick(runs);
    const book = new ReplayBook();
    const plain = new PlainBook();
    expect(show(book)).toEqual({ bids: [], asks: [] });
    for (let round = 1; round <= 40; round++) {
      plain.begin();
      for (let row = 0; row < 40; row++) {
        const isBid = random.chance(1, 2);
        const away = random.between(1, random.chance(1, 2) ? 9 : width);
        const [ticks, lots] = [isBid ? middle - away : middle + away, random.chance(1, 4) ? 0 : random.between(1, 20)];
        book.setLevel(isBid, ticks, lots, false, round, 0, 0);
        plain.set(isBid ? "bid" : "ask", ticks, lots, 0);
      }
      book.end();
      plain.end();
      if (random.chance(1, 2)) {
        const [isBuy, at] = [random.chance(1, 2), middle + random.between(-9, 9)];
        book.trade(isBuy, at, 3);
        plain.trade(isBuy, at, 3);
      }
      expect({ seed, round, ...show(book) }).toEqual({ seed, round, bids: plain.list("bid"), asks: plain.list("ask") });
    }
    book.release();
    expect(show(book)).toEqual({ bids: [], asks: [] });
    expect(() => book.bids.findBestShown()).toThrowError(expect.objectContaining({ code: "RUN_ENDED" }));
  }
});

test("levels that are gone stay for a while, and then make room", () => {
  const book = openBook([[1_000_000, 5]], [[1_000_001, 5]]);
  let most = 0;
  for (let round = 1; round <= 20_000; round++) {
    update(book, 1 + round, { bids: [[1_000_000 - round, round % 3 === 0 ? 0 : 1]] });
    update(book, 1 + round, { bids: [[1_000_000 - round, 0]] });
    most = Math.max(most, book.bids.count);
  }
  expect(most).toBeGreaterThan(1_000);
  expect(most).toBeLessThan(3_000);
  expect(show(book)).toEqual({ bids: [[1_000_000, 5]], asks: [[1_000_001, 5]] });
  update(book, 30_000, { bids: [[1_000_000, 0]] });
  // The best level is dropped at once, and those after it with it.
  expect(book.bids.count).toBe(0);
});
