import { Type } from "typebox";
import { describe, expect, test } from "vitest";
import type { Context } from "../../../src/client/strategy/context.ts";
import type { SeriesValue } from "../../../src/client/strategy/series.ts";
import { type AnyStrategy, defineStrategy } from "../../../src/client/strategy/strategy.ts";
import { Random } from "../../../src/ground/math/random.ts";
import { runBacktest } from "../../../src/product/backtest/runBacktest.ts";
import { SeriesReader } from "../../../src/product/backtest/series/seriesReader.ts";
import type { EventSource } from "../../../src/product/market-data/types.ts";
import { drawData } from "./anyData.ts";
import { createDecider } from "./decider.ts";
import { run, strategy } from "./helpers.ts";
import { HOUR, hourlyBars, memorySource, START, type TestEvent } from "./memorySource.ts";

const NAMES = ["oi", "premium", "sparse"] as const;
const bars = hourlyBars(Array.from({ length: 24 }, (_, at) => [1_000 + at, 1_005 + at, 995 + at, 1_001 + at] as const));

type Row = Extract<TestEvent, { kind: "series" }>;

/** Values of three series at any times, also between the events of a market, before it and after it. */
function drawSeries(seed: number, market: string, fromMs: number, toMs: number, marketPlace = 0) {
  const random = Random.ofSeed([seed, 48]);
  const rows: Row[] = [];
  for (const place of NAMES.keys()) {
    let timeMs = fromMs - random.below(5) * HOUR;
    const stepMs = place === 2 ? 40 * HOUR : random.pick([61_000, 300_000, HOUR]);
    for (let count = 0; timeMs < toMs + 3 * HOUR && count < 400; count++) {
      timeMs += 1 + random.below(2 * stepMs);
      const value = `${random.chance(1, 2) ? "-" : ""}${random.below(1e9)}.${random.below(1e9)}1`;
      rows.push({ kind: "series", timeMs, series: place, value, lateMs: random.below(HOUR), market: marketPlace });
    }
  }
  return { rows, series: NAMES.map((name) => [market, name] as const) };
}

async function readEvents(source: EventSource): Promise<TestEvent[]> {
  const events: TestEvent[] = [];
  for await (const chunk of source.chunks()) {
    for (let row = 0; row < chunk.count; row++) {
      const at = { timeMs: chunk.timeMs[row]!, market: chunk.market[row]! };
      const [price, size, high] = [chunk.price[row]! / 1e8, chunk.size[row]! / 1e8, chunk.high[row]!];
      const ohlc = [chunk.open[row]! / 1e8, high / 1e8, chunk.low[row]! / 1e8, price] as const;
      const intervalMs = chunk.intervalMs[row]!;
      if (chunk.kind[row] === 1 || chunk.kind[row] === 2) {
        const kind = chunk.kind[row] === 1 ? "index" : "mark";
        events.push({ kind, ...at, price, intervalMs, ...(high === 0 ? {} : { ohlc }) });
      } else if (chunk.kind[row] === 3) events.push({ kind: "funding", ...at, rate: chunk.rate[row]! / 1e9 });
      else if (chunk.kind[row] === 4) {
        events.push({ kind: "trade", ...at, price, size, side: chunk.side[row]! as 1 | -1 | 0 });
      } else events.push({ kind: "bar", ...at, ohlc, volume: size, intervalMs });
    }
  }
  return events;
}

/** The plain twin: of all rows those that are known by a time, in their order. */
function knownBy(rows: readonly Row[], series: number, timeMs: number): SeriesValue[] {
  return rows
    .filter((row) => row.series === series && row.timeMs <= timeMs)
    .map((row) => ({
      ...{ value: Number(row.value), exact: row.value, timeMs: row.timeMs - (row.lateMs ?? 0), knownMs: row.timeMs },
    }));
}

const sorted = (rows: readonly Row[]) => [...rows].sort((a, b) => a.timeMs - b.timeMs);

/** Checks in every hook what is known, and trades at random. */
function createChecker(rows: readonly Row[], market: string, seenOf = (ctx: Context) => ctx.now.timeMs): AnyStrategy {
  const decider = createDecider("onBar");
  const all = sorted(rows);
  const counts = { checks: 0 };
  const check = (ctx: Context) => {
    counts.checks++;
    for (const [place, name] of NAMES.entries()) {
      const series = ctx.series(name, market);
      const known = knownBy(all, place, seenOf(ctx));
      expect(series.last).toEqual(known.at(-1));
      if (counts.checks % 7 === 0) expect(series.recent(5)).toEqual(known.slice(-5));
    }
  };
  const hooks = ["onBar", "onTrade", "onTimer", "onFill", "onFunding", "onEnd"] as const;
  const wrapped = Object.fromEntries(
    hooks.map((hook) => {
      const own = (decider as unknown as Record<string, ((ctx: Context, fact: unknown) => void) | undefined>)[hook];
      return [
        hook,
        (ctx: Context, fact: unknown) => {
          check(ctx);
          own?.(ctx, fact);
        },
      ];
    }),
  );
  return { ...decider, ...wrapped, counts } as unknown as AnyStrategy;
}

async function drawCase(seed: number) {
  const drawn = drawData(seed, 60);
  const { manifest } = drawn.source;
  const place = Random.ofSeed([seed, 3]).below(drawn.markets.length);
  const { rows, series } = drawSeries(seed, drawn.markets[place]!, manifest.fromMs, manifest.toMs, place);
  const events = await readEvents(drawn.source);
  const chunkRows = Random.ofSeed([seed, 4]).pick([2, 17, 1_000]);
  const source = (more: readonly TestEvent[], own: typeof series | []) =>
    memorySource([...events, ...more], { markets: drawn.markets, chunkRows, series: own });
  return { rows, market: drawn.markets[place]!, plain: source([], []), withSeries: source(rows, series) };
}

describe("whatever the data is", () => {
  test.each(Array.from({ length: 24 }, (_, seed) => seed))(
    "a strategy sees each value from the time on at which it is known, and no root changes, seed %i",
    async (seed) => {
      const { rows, market, plain, withSeries } = await drawCase(seed);
      const options = { leverage: 3, seed: `${seed}`, blocks: seed % 2 === 0 ? "needed" : "all" } as const;
      const checker = createChecker(rows, market);
      const read = await run({ ...options, strategy: checker, data: withSeries });
      const decider = createDecider("onBar");
      const alone = await run({ ...options, strategy: decider, data: plain });
      const ignoring = await run({ ...options, strategy: decider, data: withSeries });
      expect((checker as unknown as { counts: { checks: number } }).counts.checks).toBeGreaterThan(5);
      for (const result of [read, ignoring]) {
        expect(result.head).toEqual(alone.head);
        expect(result.root).toEqual(alone.root);
        expect(result.blocks).toBe(alone.blocks);
      }
    },
  );
});

/** Hourly bars, and a value of one series every half hour that is known twenty minutes later. */
const half = (at: number): Row => ({
  kind: "series",
  timeMs: START + at * (HOUR / 2) + 20 * 60_000,
  series: 0,
  value: `${at}.5`,
  lateMs: 20 * 60_000,
});
const hourly = (values = Array.from({ length: 60 }, (_, at) => half(at)), chunkRows = 65_536) =>
  memorySource([...bars, ...values], { series: [["BTC", "oi"]], chunkRows });

test("a value is read at the close of a bar if it is known by then, however late its own time is", async () => {
  const seen: (readonly [hour: number, value: string | undefined])[] = [];
  await run({
    data: hourly(),
    strategy: strategy({
      onBar: (ctx, { closeTimeMs }) => void seen.push([(closeTimeMs - START) / HOUR, ctx.series("oi").last?.exact]),
    }),
  });
  // Value 1 is of 00:30 and known at 00:50; value 2 is of 01:00 and known after that bar.
  expect(seen.slice(0, 3)).toEqual([
    [1, "1.5"],
    [2, "3.5"],
    [3, "5.5"],
  ]);
});

test("a value that is known in the millisecond of a hook is seen by it, and one a millisecond later is not", async () => {
  const at = (timeMs: number, value: string): Row => ({ kind: "series", timeMs, series: 0, value });
  const data = hourly([at(START + HOUR, "1"), at(START + HOUR + 1, "2"), at(START + 2 * HOUR - 1, "3")]);
  const seen: (string | undefined)[] = [];
  await run({ data, strategy: strategy({ onBar: (ctx) => void seen.push(ctx.series("oi").last?.exact) }) });
  expect(seen.slice(0, 2)).toEqual(["1", "3"]);
});

test("a run with a start knows the last value before it, and a warm-up what was known at each of its bars", async () => {
  const seen: unknown[] = [];
  // Small chunks: values are taken in between, at each of them.
  const options = { data: hourly(undefined, 2), fromMs: START + 10 * HOUR };
  await run({
    ...options,
    strategy: strategy({
      warmUp: { bars: 2 },
      init: (ctx) => void seen.push(["init", ctx.series("oi").last?.exact]),
      onBar(ctx, { closeTimeMs }) {
        const { last } = ctx.series("oi");
        const known = last === undefined ? undefined : (last.knownMs - START) / HOUR;
        if (seen.length < 5) seen.push([ctx.isWarmUp, (closeTimeMs - START) / HOUR, last?.exact, known]);
      },
    }),
  });
  // Value 17 is of 08:30, known at 08:50.
  expect(seen).toEqual([
    ["init", undefined],
    [true, 9, "17.5", 8 + 5 / 6],
    [true, 10, "19.5", 9 + 5 / 6],
    [false, 11, "21.5", 10 + 5 / 6],
    [false, 12, "23.5", 11 + 5 / 6],
  ]);
  const first: unknown[] = [];
  await run({
    ...options,
    strategy: strategy({ init: (ctx) => void first.push(ctx.series("oi").last) }),
  });
  expect(first).toEqual([
    { value: 19.5, exact: "19.5", timeMs: START + 9.5 * HOUR, knownMs: START + 9.5 * HOUR + 20 * 60_000 },
  ]);
});

test("progress counts the events of the markets, and ends at their total", async () => {
  const done: (readonly [done: number, total: number])[] = [];
  const data = hourly(undefined, 5);
  await run({ data, onProgress: ({ eventsDone, eventsTotal }) => void done.push([eventsDone, eventsTotal]) });
  expect(done.at(-1)).toEqual([24, 24]);
});

test("the last values come oldest first, at most a thousand of them", async () => {
  const many = Array.from({ length: 1_500 }, (_, at): Row => {
    return { kind: "series", timeMs: START + at, series: 0, value: `${at}` };
  });
  let checked = 0;
  await run({
    data: hourly(many),
    strategy: strategy({
      onBar(ctx) {
        const oi = ctx.series("oi");
        expect(oi.recent(3).map(({ value }) => value)).toEqual([1_497, 1_498, 1_499]);
        const all = oi.recent(1_000);
        expect([all.length, all[0]!.value, all.at(-1)!.value]).toEqual([1_000, 500, 1_499]);
        for (const count of [0, 1_001, 1.5, "3" as never]) {
          expect(() => oi.recent(count)).toThrow(expect.objectContaining({ code: "SERIES_UNKNOWN" }));
        }
        checked++;
      },
    }),
  });
  expect(checked).toBe(24);
});

test("a series that the data does not have is an error that lists those that it has", async () => {
  const failing = (name: string, data: EventSource, market?: string) =>
    runBacktest({
      strategy: strategy({ onBar: (ctx) => void ctx.series(name, market) }),
      data,
      lot: "0.01",
      tick: "1",
    });
  await expect(failing("io", hourly())).rejects.toMatchObject({
    code: "STRATEGY_FAILED",
    hint: expect.stringContaining("the data has oi;"),
  });
  const none = memorySource(bars);
  await expect(failing("oi", none)).rejects.toMatchObject({ hint: expect.stringContaining("add a file with series") });
  await expect(failing("oi", hourly(), "ETH")).rejects.toMatchObject({ code: "STRATEGY_FAILED" });
});

test("the report says which series were read, and when values are known", async () => {
  const data = memorySource([...bars, half(0), { ...half(1), series: 1 }], {
    series: [
      ["BTC", "oi"],
      ["BTC", "ratio"],
    ],
  });
  const read = await run({ data, strategy: strategy({ onBar: (ctx) => void ctx.series("oi").last }) });
  expect(read.report.run.assumptions.join("\n")).toContain("the strategy read oi of BTC");
  expect(read.report.run.assumptions.join("\n")).toContain("It did not read the other 1 of the data.");
  const unread = await run({ data });
  expect(unread.report.run.assumptions.join("\n")).toContain("The data has 2 series, and the strategy read none");
});

test("two strategies in one venue each read series at their own time, also where messages take time", async () => {
  const read = (ctx: Context) => {
    const { last } = ctx.series("oi");
    if (last !== undefined) ctx.log(`${ctx.now.timeMs} ${last.exact} ${last.knownMs}`);
  };
  // A chunk ends at every mark: the venue is then ahead of what the far strategy has seen.
  const values = Array.from({ length: 60 }, (_, at) => half(at));
  const marks = Array.from({ length: 140 }, (_, at): TestEvent => {
    return { kind: "mark", timeMs: START + (at + 1) * 600_000 - 1, price: 1_000 };
  });
  const one = defineStrategy({ id: "one", params: Type.Object({}), onBar: read });
  const result = await runBacktest({
    data: memorySource([...bars, ...values, ...marks], { series: [["BTC", "oi"]], chunkRows: 1 }),
    tick: "1",
    lot: "0.01",
    strategies: [
      { name: "near", strategy: one },
      { name: "far", strategy: one, feedLatencyMs: 45 * 60_000 },
    ],
  } as never);
  const logs = Object.fromEntries(result.strategies.map(({ name, logs: own }) => [name, own]));
  for (const name of ["near", "far"]) {
    const rows = logs[name]!.map(({ text }) => text.split(" ").map(Number) as [number, number, number]);
    expect(rows.length).toBeGreaterThan(20);
    for (const [now, , known] of rows) expect(known).toBeLessThanOrEqual(name === "near" ? now : now - 45 * 60_000);
    // At the close of hour h the value of 2h - 1 is known; the far strategy reads the same, later.
    expect(rows.map(([, value]) => value)).toEqual(rows.map((_, at) => 2 * at + 1.5));
  }
});

test("what the venue has made does not show values to a strategy that has not begun, as in a warm-up", async () => {
  const reader = new SeriesReader([{ market: "BTC", name: "oi", events: 2, fromMs: 0, toMs: 0 }]);
  const at = (timeMs: number): Row => ({ kind: "series", timeMs, series: 0, value: `${timeMs}` });
  for await (const chunk of memorySource([at(10), at(20)], { series: [["BTC", "oi"]] }).chunks()) reader.add(chunk);
  reader.settle(30);
  reader.moveTo(15);
  expect(reader.all[0]!.last?.value).toBe(10);
  reader.settle(30);
  expect(reader.all[0]!.last?.value).toBe(20);
});
