import { expect, test } from "vitest";
import { BookFlag } from "../../../src/product/market-data/types.ts";
import type { MarketRow } from "../../../src/venue/engine/state/schema.ts";
import { run, strategy } from "./helpers.ts";
import { memorySource, START, type TestEvent } from "./memorySource.ts";

const PRICES = [98, 97, 96, 103, 104, 105];

/** A snapshot, then an update a second of which each moves the middle. */
function drawBook(): TestEvent[] {
  const rows = PRICES.map((price, place): TestEvent => {
    const flags = BookFlag.snapshot | (place === 0 ? BookFlag.first : 0);
    return { kind: "depth", timeMs: START, id: 1, flags, side: price < 100 ? 1 : -1, price, size: 5 };
  });
  for (let second = 1; second <= 9; second++) {
    const size = second % 2 === 0 ? 0 : 3;
    rows.push({ kind: "depth", timeMs: START + second * 1_000, id: second + 1, side: 1, price: 100, size });
  }
  return rows;
}

const nothing = () => strategy({});

/** Bids 1 at 97 in the first block. */
const bidder = () => strategy({ init: (ctx) => void ctx.place({ side: "buy", size: 1, price: 97, postOnly: true }) });

const prices = ({ state }: Awaited<ReturnType<typeof run>>) => {
  const { orders, books } = state;
  const found: number[] = [];
  for (let ticks = books[0]!.bestAsk; ticks !== 0; ticks = books[0]!.above(ticks)) found.push(ticks);
  for (let ticks = books[0]!.bestBid; ticks !== 0; ticks = books[0]!.below(ticks)) found.push(ticks);
  return {
    found: found.sort((a, b) => a - b),
    orders: orders.rows.count,
    mark: state.markets.mark[0 as MarketRow]! / 1e8,
  };
};

test("a run ends with the last mark and without the levels that none of its orders could reach", async () => {
  const options = { data: memorySource(drawBook()), tick: "1", lot: "0.01", blockMs: 1, latencyMs: 0 };
  const all = await run({ ...options, strategy: nothing(), blocks: "all" });
  expect(prices(all)).toEqual({ found: [96, 97, 98, 100, 103, 104, 105], orders: 7, mark: 101.5 });
  const needed = await run({ ...options, strategy: nothing() });
  expect(prices(needed)).toEqual({ found: [], orders: 0, mark: 101.5 });
});

test("a run ends with the queue in which its order waits, and no other level", async () => {
  const options = { data: memorySource(drawBook()), tick: "1", lot: "0.01", blockMs: 1, latencyMs: 0 };
  const needed = await run({ ...options, strategy: bidder(), parameters: { minNotional: "0" } });
  expect(prices(needed)).toEqual({ found: [97], orders: 2, mark: 101.5 });
});
