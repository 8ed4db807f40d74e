import { expect, test } from "vitest";
import { isHighFirst, timeOfPoint } from "../../../src/product/market-data/stream/barPath.ts";
import { ownFills, run, strategy } from "./helpers.ts";
import { HOUR, hourlyBars, memorySource, START, type TestEvent } from "./memorySource.ts";

const buyAtOnce = (size: number) =>
  strategy({
    init(ctx) {
      ctx.place({ side: "buy", size, slippage: 0.1 });
    },
  });

test("a market order of 1,000 BTC in a bar of 10 BTC fills what the house offers at that point and no more", async () => {
  const data = memorySource(
    hourlyBars(
      [
        [100, 110, 90, 105],
        [105, 106, 104, 105],
      ],
      10,
    ),
  );
  // The order meets the open's depth: 10 % of 10 BTC over four points.
  const result = await run({ data, strategy: buyAtOnce(1_000), deposit: "1000000", lot: "0.001" });
  const filled = ownFills(result).reduce((sum, { size }) => sum + Number(size), 0);
  expect(filled).toBe(0.25);
  expect(result.input.recording.orders.expired).toBe(1);
});

test("what is taken from a point's depth costs a tick more for each quarter of it", async () => {
  const data = memorySource(
    hourlyBars(
      [
        [100, 110, 90, 105],
        [105, 106, 104, 105],
      ],
      1_600,
    ),
  );
  const result = await run({
    data,
    strategy: buyAtOnce(35),
    deposit: "100000",
    impactTicks: 3,
    tick: "0.1",
    lot: "0.01",
  });
  // 10 % of 1,600 over four points is 40 a side, in four parts of 10; the open came up to 100, so 100 is the ask.
  expect(ownFills(result).map(({ price, size }) => [price, size])).toEqual([
    ["100", "10"],
    ["100.3", "10"],
    ["100.6", "10"],
    ["100.9", "5"],
  ]);
});

test("a bar without volume offers nothing", async () => {
  const data = memorySource([
    ...hourlyBars([[100, 101, 99, 100]], 0),
    ...hourlyBars(
      [
        [100, 101, 99, 100],
        [100, 101, 99, 100],
      ],
      8,
    ).slice(1),
  ]);
  const result = await run({ data, strategy: buyAtOnce(1), lot: "0.01" });
  expect(ownFills(result)).toEqual([]);
});

test("nothing is offered in a gap, and trading continues after it", async () => {
  const bars = hourlyBars(
    [
      [100, 101, 99, 100],
      [100, 101, 99, 100],
      [100, 101, 99, 100],
      [100, 101, 99, 100],
    ],
    80,
  );
  const data = memorySource([bars[0]!, bars[3]!]);
  const depths: (number | undefined)[] = [];
  const result = await run({
    data,
    lot: "0.01",
    strategy: strategy({
      onBlock(ctx) {
        depths.push(ctx.market.bestAsk);
      },
    }),
  });
  expect(depths.map((ask) => ask !== undefined)).toEqual([true, true, true, true, false, true, true, true, true]);
  expect(result.report.run.assumptions.join("\n")).toContain("1 gaps between bars");
});

test("the points of a bar are in its own time, the open directly after the close before", () => {
  const close = START + HOUR;
  expect([0, 1, 2, 3].map((point) => timeOfPoint(close, HOUR, point) - START)).toEqual([1, 1_200_000, 2_400_000, HOUR]);
});

test("the path visits the extreme nearer to the open first", () => {
  expect(isHighFirst("nearest", 100, 102, 90, 95)).toBe(true);
  expect(isHighFirst("nearest", 100, 110, 98, 95)).toBe(false);
  expect(isHighFirst("nearest", 100, 105, 95, 104)).toBe(false);
  expect(isHighFirst("nearest", 100, 105, 95, 96)).toBe(true);
  expect(isHighFirst("high-first", 100, 110, 99, 95)).toBe(true);
  expect(isHighFirst("low-first", 100, 101, 90, 95)).toBe(false);
});

test("nothing of a bar can be seen before its time", async () => {
  const bars = hourlyBars(
    [
      [100, 110, 90, 105],
      [205, 250, 200, 210],
    ],
    100,
  );
  const seen: { timeMs: number; last: number | undefined; mark: number | undefined }[] = [];
  const closes: number[] = [];
  await run({
    data: memorySource(bars),
    strategy: strategy({
      onBlock({ now, market }) {
        seen.push({ timeMs: now.timeMs - START, last: market.last, mark: market.mark });
      },
      onBar({ now }, bar) {
        closes.push(now.timeMs - START);
        expect(bar.closeTimeMs).toBe(now.timeMs);
      },
    }),
  });
  expect(seen.map(({ timeMs, last }) => [timeMs, last])).toEqual([
    [1, 100],
    [1_200_000, 90],
    [2_400_000, 110],
    [HOUR, 105],
    [HOUR + 1, 205],
    [HOUR + 1_200_000, 200],
    [HOUR + 2_400_000, 250],
    [2 * HOUR, 210],
  ]);
  expect(seen.every(({ last, mark }) => last === mark)).toBe(true);
  expect(closes).toEqual([HOUR, 2 * HOUR]);
});

test("a recorded mark bar moves through its own values at the same points", async () => {
  const data = memorySource([
    ...hourlyBars([[100, 110, 90, 105]], 100),
    { kind: "mark", timeMs: START + HOUR, price: 104, ohlc: [101, 108, 92, 104], intervalMs: HOUR },
  ]);
  const marks: (number | undefined)[] = [];
  const result = await run({ data, strategy: strategy({ onBlock: ({ market }) => void marks.push(market.mark) }) });
  expect(marks).toEqual([101, 92, 108, 104]);
  expect(result.report.run.driver.markSource).toBe("recorded");
});

test("without a recorded mark the last price is the mark, and the report says so", async () => {
  const result = await run({ data: memorySource(hourlyBars([[100, 110, 90, 105]])) });
  expect(result.report.run.driver.markSource).toBe("last trade");
  expect(result.report.run.assumptions.join("\n")).toContain("mark: last trade");
});

test("bars of two lengths in one market are refused", async () => {
  const bars: TestEvent[] = [
    ...hourlyBars([[100, 101, 99, 100]]),
    { kind: "bar", timeMs: START + HOUR + 60_000, ohlc: [100, 101, 99, 100], volume: 1, intervalMs: 60_000 },
  ];
  await expect(run({ data: memorySource(bars), lot: "0.01" })).rejects.toMatchObject({ code: "DATA_UNUSABLE" });
});

test("chunks of any size make the same run", async () => {
  const bars = hourlyBars(Array.from({ length: 40 }, (_, i) => [100 + i, 104 + i, 97 + i, 101 + i] as const));
  const funding: TestEvent[] = [1, 2, 3].map((n) => ({ kind: "funding", timeMs: START + n * 8 * HOUR, rate: 0.0001 }));
  const roots = new Set<string>();
  for (const chunkRows of [1, 2, 3, 7, 1_000]) {
    const data = memorySource([...bars, ...funding], { chunkRows });
    roots.add((await run({ data, strategy: buyAtOnce(5) })).head);
  }
  expect(roots.size).toBe(1);
});

test("every bar of a long chunk is replayed", async () => {
  const bars = hourlyBars(Array.from({ length: 1_100 }, (_, i) => [100 + (i % 7), 110, 97, 101 + (i % 5)] as const));
  const marks: unknown[] = [];
  const reading = strategy({ onBar: ({ market }, { closeTimeMs }) => void marks.push([closeTimeMs, market.mark]) });
  await run({ data: memorySource(bars, { chunkRows: 65_536 }), strategy: reading });
  expect(marks).toEqual(bars.map(({ timeMs }, i) => [timeMs, 101 + (i % 5)]));
});
