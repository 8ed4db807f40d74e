import { expect, test } from "vitest";
import { BookFlag } from "../../../src/product/market-data/types.ts";
import { ownFills, run, strategy } from "./helpers.ts";
import { memorySource, START, type TestEvent } from "./memorySource.ts";

const SNAPSHOT = BookFlag.snapshot;

/** Rows of one update, a second or more after the start. */
function update(
  second: number,
  bids: Record<string, number>,
  asks: Record<string, number>,
  isSnapshot = false,
): TestEvent[] {
  const rows = [
    ...Object.entries(bids).map(([price, size]) => ({ side: 1 as const, price: Number(price), size })),
    ...Object.entries(asks).map(([price, size]) => ({ side: -1 as const, price: Number(price), size })),
  ];
  return rows.map((row, place) => ({
    kind: "depth",
    timeMs: START + second * 1_000,
    id: second,
    flags: isSnapshot ? SNAPSHOT | (place === 0 ? BookFlag.first : 0) : 0,
    ...row,
  }));
}

const quote = (second: number, bid: readonly [number, number], ask: readonly [number, number]): TestEvent[] => [
  { kind: "quote", timeMs: START + second * 1_000, side: 1, price: bid[0], size: bid[1] },
  { kind: "quote", timeMs: START + second * 1_000, side: -1, price: ask[0], size: ask[1] },
];

const trade = (second: number, price: number, size: number, side: 1 | -1 | 0): TestEvent => ({
  kind: "trade",
  timeMs: START + second * 1_000,
  price,
  size,
  side,
});

const BOOK = update(0, { 100: 5, 99: 4 }, { 102: 6, 103: 7 }, true);

/** Sends something in the first block, and shows the book after each. */
const acting = (
  act: (ctx: Parameters<NonNullable<Parameters<typeof strategy>[0]["onBlock"]>>[0]) => void,
  seen: unknown[] = [],
) =>
  strategy({
    onBlock(ctx) {
      if (ctx.now.height === 1) act(ctx as never);
      const [market] = ctx.markets;
      seen.push(
        [market!.depth("buy", 3), market!.depth("sell", 3)].map((side) =>
          side.map(({ price, size }) => `${size}@${price}`),
        ),
      );
    },
  });

test("a recorded book is the book of the venue, and its middle is the mark", async () => {
  const seen: unknown[] = [];
  const events = [...BOOK, ...update(2, { 101: 1 }, { 102: 0 }), ...update(3, {}, { 103: 2 })];
  const result = await run({ data: memorySource(events), strategy: acting(() => {}, seen) });
  expect(seen).toEqual([
    [
      ["5@100", "4@99"],
      ["6@102", "7@103"],
    ],
    [["1@101", "5@100", "4@99"], ["7@103"]],
    [["1@101", "5@100", "4@99"], ["2@103"]],
  ]);
  expect(result.seen[1]!.block.transactions[0]!.payload).toMatchObject({ mark: 102e8 });
  const { driver, assumptions } = result.report.run;
  expect(driver).toMatchObject({
    fidelity: [{ market: "BTC", data: "orderBook" }],
    markSource: "middle of the book",
    spreadTicks: null,
  });
  expect(assumptions.join(" ")).toContain("(queue: behind)");
});

test("an order larger than the whole book fills what is there, level by level, and no more", async () => {
  const events = [...BOOK, ...update(1, { 99: 3 }, {}), ...update(2, { 99: 2 }, {})];
  const data = memorySource(events);
  const result = await run({
    data,
    strategy: acting((ctx) => ctx.place({ side: "buy", size: 50, price: 110, timeInForce: "IOC" })),
  });
  expect(ownFills(result).map(({ price, size }) => [price, size])).toEqual([
    ["102", "6"],
    ["103", "7"],
  ]);
});

test("an order within the depth takes its levels, which are gone until the data sets them again", async () => {
  const seen: unknown[] = [];
  const events = [...BOOK, ...update(1, { 99: 3 }, {}), ...update(2, {}, { 102: 1 })];
  const data = memorySource(events);
  await run({
    data,
    strategy: acting((ctx) => ctx.place({ side: "buy", size: 8, price: 103, timeInForce: "IOC" }), seen),
  });
  expect(seen.map((one) => (one as string[][])[1])).toEqual([["6@102", "7@103"], ["5@103"], ["1@102", "5@103"]]);
});

test("an order at rest is filled in part by trades that reach it in its queue", async () => {
  const events = [
    ...BOOK,
    ...update(1, { 99: 3 }, {}),
    trade(2, 100, 6, -1),
    ...update(2, { 100: 0 }, {}),
    trade(3, 100, 9, -1),
    ...update(4, { 98: 1 }, {}),
  ];
  const data = memorySource(events);
  const result = await run({ data, strategy: acting((ctx) => ctx.place({ side: "buy", size: 4, price: 100 })) });
  expect(ownFills(result).map(({ timeMs, price, size }) => [timeMs - START, price, size])).toEqual([
    [2_000, "100", "1"],
    [3_000, "100", "3"],
  ]);
});

test("best prices alone are a book of one level a side, and a trade of no known side has that of the price it met", async () => {
  const seen: unknown[] = [];
  const events = [
    ...quote(0, [100, 5], [102, 6]),
    ...quote(1, [100, 5], [102, 6]),
    trade(2, 100, 6, 0),
    ...quote(3, [99, 2], [101, 1]),
    ...quote(4, [99, 2], [0, 0]),
  ];
  const data = memorySource(events);
  const result = await run({ data, strategy: acting((ctx) => ctx.place({ side: "buy", size: 2, price: 100 }), seen) });
  expect(ownFills(result).map(({ timeMs, size }) => [timeMs - START, size])).toEqual([[2_000, "1"]]);
  expect(seen.at(-2)).toEqual([["1@100", "2@99"], ["1@101"]]);
  expect(seen.at(-1)).toEqual([["1@100", "2@99"], []]);
  expect(result.report.run.driver.fidelity).toEqual([{ market: "BTC", data: "topOfBook" }]);
});

test("a range that begins within a book begins with the book as it was", async () => {
  const seen: unknown[] = [];
  const events = [...BOOK, ...update(1, { 99: 3 }, {}), ...update(2, { 98: 1 }, {}), ...update(3, { 97: 1 }, {})];
  const data = memorySource(events);
  await run({ data, fromMs: START + 2_000, strategy: acting(() => {}, seen) });
  expect(seen[0]).toEqual([
    ["5@100", "3@99", "1@98"],
    ["6@102", "7@103"],
  ]);
  expect(seen).toHaveLength(2);
});

test("with a book, quotes drive nothing, and bars are made of trades", async () => {
  const bars: unknown[] = [];
  const events = [...BOOK, ...quote(1, [1, 1], [2, 1]), trade(2, 102, 1, 1), ...update(61, { 99: 3 }, {})];
  const seen: string[] = [];
  await run({
    data: memorySource(events),
    strategy: strategy({
      onBar: (_, { close, volume }) => void bars.push([close, volume]),
      onBlock: ({ markets }) => void seen.push(`${markets[0]!.bestBid} ${markets[0]!.bestAsk}`),
    }),
  });
  expect(bars).toEqual([[102, 1]]);
  expect(new Set(seen)).toEqual(new Set(["100 102"]));
});

test("a tick on which two levels of the book would meet is refused, and one that divides the prices is not", async () => {
  const data = memorySource(update(0, { 100.5: 5 }, { 102: 6 }, true));
  await expect(run({ data, tick: "1" })).rejects.toMatchObject({ code: "OPTION_INVALID", place: "tick" });
  await run({ data, tick: "0.1" });
});

test("a queue model is part of the report and its command, and is refused where there is no queue to model", async () => {
  const result = await run({ data: memorySource(BOOK), queue: "power(2)" });
  const { driver, assumptions, command } = result.report.run;
  expect(driver.other).toContainEqual({ name: "queue", value: "power(2)" });
  expect(assumptions.join(" ")).toContain("(queue: power(2))");
  expect(command).toContain("--queue");
  await expect(run({ data: memorySource(BOOK), queue: "front" })).rejects.toMatchObject({ place: "queue" });
  const trades = memorySource([trade(0, 100, 1, 1)]);
  await expect(run({ data: trades, queue: "log" })).rejects.toMatchObject({ code: "OPTION_INVALID", place: "queue" });
});

test("a book of more lots than a venue can store is an error of the data, with market and time", async () => {
  // A lot of 1e-8 and 1,100 levels of 9e7 units: each is cut to 2^42 lots, and 1,024 of them are beyond the limit.
  const levels = (from: number): Record<string, number> =>
    Object.fromEntries(Array.from({ length: 1100 }, (_, at) => [String(from + 100 * at), 90_000_000]));
  const book = update(0, { 9900: 0.00000001 }, levels(10_000), true);
  const running = run({
    data: memorySource(book),
    strategy: strategy({}),
    blocks: "all",
    tick: "100",
    lot: "0.00000001",
  });
  await expect(running).rejects.toMatchObject({
    code: "DATA_UNUSABLE",
    place: expect.stringMatching(/./),
    message: expect.stringMatching(
      /^market .+: at 20.+Z one side of its recorded book holds more lots than a venue can store/,
    ),
    hint: expect.stringContaining("--lot"),
  });
});

// The memory of a book goes to the next run, so a kept context would read another market's book, or none.
test("a context that was kept cannot read a recorded book after the run, and onEnd still can", async () => {
  const kept: { depth(side: "buy" | "sell"): readonly unknown[]; readonly bestBid: number | undefined }[] = [];
  const seen: number[] = [];
  const source = memorySource([...BOOK, trade(1, 102, 1, 1)]);
  const look = strategy({
    onEnd(ctx) {
      kept.push(ctx.market);
      seen.push(ctx.market.depth("buy").length);
    },
  });
  await run({ data: source, strategy: look });
  await run({ data: source, strategy: look });
  expect(seen).toEqual([2, 2]);
  const ended = expect.objectContaining({ code: "RUN_ENDED", hint: expect.stringContaining("onEnd") });
  for (const market of kept) {
    expect(() => market.depth("buy")).toThrowError(ended);
    expect(() => market.bestBid).toThrowError(ended);
  }
});
