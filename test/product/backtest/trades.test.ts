import { expect, test } from "vitest";
import { ownFills, run, strategy } from "./helpers.ts";
import { memorySource, START, type TestEvent } from "./memorySource.ts";

const trade = (second: number, price: number, size: number, side: 1 | -1 | 0 = 0): TestEvent => ({
  kind: "trade",
  timeMs: START + second * 1_000,
  price,
  size,
  side,
});

/** Rests a bid at a price as soon as it can. */
const bidAt = (price: number, size: number) =>
  strategy({
    init(ctx) {
      ctx.place({ side: "buy", price, size, postOnly: true });
    },
  });

test("a bid after the house's depth at its price is filled only when that depth is gone", async () => {
  // In block 2 the strategy rests 2 after the house's 5. The sale of 5 in block 3 takes the house's whole order. The
  // house's next quote then queues after the strategy: the sale of 1 in block 4 is the strategy's.
  const sales = [trade(1, 100, 5, -1), trade(2, 100, 5, -1), trade(3, 100, 5, -1), trade(4, 100, 1, -1)];
  const result = await run({ data: memorySource(sales), strategy: bidAt(100, 2) });
  expect(ownFills(result).map(({ timeMs, price, size, role }) => [timeMs - START, price, size, role])).toEqual([
    [4_000, "100", "1", "maker"],
  ]);
});

test("a sale larger than the depth in front of a bid reaches it with the rest", async () => {
  const sales = [trade(1, 100, 5, -1), trade(2, 100, 5, -1), trade(3, 100, 6, -1)];
  const result = await run({ data: memorySource(sales), strategy: bidAt(100, 2) });
  expect(ownFills(result).map(({ price, size }) => [price, size])).toEqual([["100", "1"]]);
});

test("a trade through a bid fills it at its own price", async () => {
  const result = await run({
    data: memorySource([trade(1, 100, 5, -1), trade(2, 100, 1, 1), trade(3, 97, 9, -1), trade(4, 97, 9, -1)]),
    strategy: bidAt(98, 2),
  });
  expect(ownFills(result).map(({ price, size }) => [price, size])).toEqual([["98", "2"]]);
});

test("depth before a block is the last trade's size on both sides", async () => {
  const depths: unknown[] = [];
  await run({
    data: memorySource([trade(1, 100, 5, -1), trade(2, 101, 7, 1), trade(3, 101, 3)]),
    strategy: strategy({
      onBlock({ market }) {
        depths.push([market.depth("buy"), market.depth("sell")]);
      },
    }),
  });
  expect(depths).toEqual([
    [[{ price: 100, size: 5 }], [{ price: 101, size: 5 }]],
    [[{ price: 100, size: 7 }], [{ price: 101, size: 7 }]],
    [[{ price: 100, size: 3 }], [{ price: 101, size: 3 }]],
  ]);
});

test("a sale above the last price and a purchase below it leave depth on both sides", async () => {
  const depths: unknown[] = [];
  const wrongWay = [trade(1, 100, 5, 1), trade(2, 101, 4, -1), trade(3, 104, 3, -1), trade(4, 102, 2, 1)];
  await run({
    data: memorySource(wrongWay),
    strategy: strategy({
      onBlock({ market }) {
        depths.push([market.depth("buy"), market.depth("sell")]);
      },
    }),
  });
  expect(depths).toEqual([
    [[{ price: 99, size: 5 }], [{ price: 100, size: 5 }]],
    [[{ price: 101, size: 4 }], [{ price: 102, size: 4 }]],
    [[{ price: 104, size: 3 }], [{ price: 105, size: 3 }]],
    [[{ price: 101, size: 2 }], [{ price: 102, size: 2 }]],
  ]);
});

test("a market order fills in part where the depth is less than its size", async () => {
  const result = await run({
    data: memorySource([trade(1, 100, 5, -1), trade(2, 100, 5, -1)]),
    strategy: strategy({
      init(ctx) {
        ctx.place({ side: "buy", size: 8, slippage: 0.05 });
      },
    }),
  });
  expect(ownFills(result).map(({ price, size, role }) => [price, size, role])).toEqual([["101", "5", "taker"]]);
});

test("events of one instant are taken in the written order: mark, then funding, then trades", async () => {
  const at = START + 1_000;
  const { seen } = await run({
    data: memorySource([
      trade(1, 100, 5, -1),
      { kind: "funding", timeMs: at, rate: 0.001 },
      { kind: "mark", timeMs: at, price: 99 },
    ]),
  });
  const kinds = seen[0]!.block.transactions.map(({ action }) => action);
  expect(kinds).toEqual(["oracleUpdate", "houseFlow", "setLeverage"]);
  const events = seen[0]!.events.map(({ kind }) => kind);
  expect(events.indexOf("printed")).toBeLessThan(events.indexOf("pricesMoved"));
  expect(events.indexOf("pricesMoved")).toBeLessThan(events.indexOf("fundingAccrued"));
  expect(seen[0]!.events.find((event) => event.kind === "pricesMoved")).toMatchObject({ mark: 99e8 });
});

test("a transaction is in the first block after the latency, and one is made where there is none", async () => {
  const times: number[] = [];
  const data = memorySource([trade(1, 100, 5, -1), trade(60, 100, 5, -1)]);
  const { seen } = await run({
    data,
    latencyMs: 2_500,
    strategy: strategy({
      init(ctx) {
        ctx.place({ side: "buy", size: 1 });
      },
      onFill(_, { timeMs }) {
        times.push(timeMs - START);
      },
    }),
  });
  expect(seen.map(({ block }) => block.timeMs - START)).toEqual([1_000, 4_000, 60_000]);
  expect(times).toEqual([4_000]);
});

test("a trade without a side is on the side that the price came from", async () => {
  const data = memorySource([trade(1, 100, 5), trade(2, 102, 5), trade(3, 101, 5)]);
  const { seen } = await run({ data, blocks: "all" });
  const sides = seen.flatMap(({ events }) => events.flatMap((event) => (event.kind === "printed" ? [event.side] : [])));
  expect(sides).toEqual([0, 0, 1]);
});

test("the strategy sees every trade once, after its block", async () => {
  const trades: unknown[] = [];
  await run({
    data: memorySource([trade(1, 100, 5, -1), trade(1.2, 101, 2, 1), trade(1.4, 101, 3)], { chunkRows: 2 }),
    strategy: strategy({
      onTrade(ctx, { timeMs, price, size, side }) {
        expect(ctx.now.timeMs).toBeGreaterThanOrEqual(timeMs);
        trades.push([timeMs - START, price, size, side]);
      },
    }),
  });
  expect(trades).toEqual([
    [1_000, 100, 5, "sell"],
    [1_200, 101, 2, "buy"],
    [1_400, 101, 3, undefined],
  ]);
});
