import { expect, test } from "vitest";
import { MarketStarts } from "../../../src/product/market-data/stream/marketStarts.ts";
import type { EventSource, TapeManifest, TimeRange } from "../../../src/product/market-data/types.ts";
import { openTradable, type TradableStream } from "../../../src/product/replay/tradable.ts";
import { HOUR, hourlyBars, memorySource, START, type TestEvent } from "../backtest/memorySource.ts";

const bars = hourlyBars(Array.from({ length: 4 }, () => [100, 101, 99, 100] as const));
const funding = (hours: number): TestEvent => ({ kind: "funding", timeMs: START + hours * HOUR, rate: 0.0001 });
const mark = (hours: number, price = 100): TestEvent => ({ kind: "mark", timeMs: START + hours * HOUR, price });
const trade = (hours: number): TestEvent => ({ kind: "trade", timeMs: START + hours * HOUR, price: 100, size: 1 });

/** Kind, market and time of every event. */
async function collectTimes(stream: TradableStream): Promise<number[][]> {
  const rows: number[][] = [];
  for await (const { count, kind, market, timeMs } of stream.chunks()) {
    for (let row = 0; row < count; row++) rows.push([kind[row]!, market[row]!, timeMs[row]!]);
  }
  return rows;
}

/** Kind and hours since the start of every event, in chunks of a few rows; the result is that of any length. */
async function read(events: readonly TestEvent[], range: TimeRange = {}, chunkRows = 3) {
  const stream = await openTradable(memorySource(events, { chunkRows }), range);
  const rows: [kind: number, hours: number, price: number][] = [];
  for await (const chunk of stream.chunks()) {
    for (let row = 0; row < chunk.count; row++) {
      rows.push([chunk.kind[row]!, (chunk.timeMs[row]! - START) / HOUR, chunk.price[row]! / 1e8]);
    }
  }
  const { before, after } = stream;
  return { rows, stream, before: [before.count, ...before.kinds], after: [after.count, ...after.kinds] };
}

test("a range selects bars by their open, and everything else by its time", async () => {
  const range = { fromMs: START + HOUR, toMs: START + 3 * HOUR };
  const { rows } = await read([...bars, funding(0), funding(1), funding(2), funding(3)], range);
  // The rate at the open of the first bar is before its first price.
  expect(rows.map(([kind, hours]) => [kind, hours])).toEqual([
    [3, 2],
    [6, 2],
    [6, 3],
  ]);
});

test("a mark of an interval belongs to its open, like the bar of the same interval", async () => {
  const marks = bars.map(({ timeMs }): TestEvent => ({ kind: "mark", timeMs, price: 100, intervalMs: HOUR }));
  const { rows } = await read([...bars, ...marks], { fromMs: START + HOUR, toMs: START + 2 * HOUR });
  expect(rows.map(([kind, hours]) => [kind, hours])).toEqual([
    [2, 2],
    [6, 2],
  ]);
});

test.each([1, 2, 100])(
  "events before the first and after the last bar are left out, in chunks of %i",
  async (chunkRows) => {
    const early = [funding(-9_000), funding(-8), mark(-3)];
    const late = [funding(4), funding(5), mark(6)];
    const found = await read([...bars, ...early, ...late], {}, chunkRows);
    expect(found.rows.map(([kind, hours]) => [kind, hours])).toEqual([
      [6, 1],
      [6, 2],
      [6, 3],
      [3, 4],
      [6, 4],
    ]);
    expect([found.stream.openMs, found.stream.fromMs]).toEqual([START, START + 1]);
    expect(found.before).toEqual([3, "mark", "funding"]);
    expect(found.after).toEqual([2, "mark", "funding"]);
    expect([found.stream.before.fromMs, found.stream.after.toMs]).toEqual([START - 9_000 * HOUR, START + 6 * HOUR]);
  },
);

test("the last mark and index before the first trade hold at its time, an old one does not", async () => {
  const { rows } = await read([
    mark(1, 98),
    mark(1.8, 99),
    { kind: "index", timeMs: START, price: 97 },
    trade(2),
    trade(3),
    funding(2.5),
  ]);
  expect(rows).toEqual([
    [2, 2, 99],
    [4, 2, 100],
    [3, 2.5, 0],
    [4, 3, 100],
  ]);
});

test("a stream can be read again, and a range without a trade or bar has none", async () => {
  const { stream, rows } = await read([...bars, funding(-5), funding(9)]);
  let count = 0;
  for await (const chunk of stream.chunks()) count += chunk.count;
  expect([count, stream.before.count, stream.after.count]).toEqual([rows.length, 1, 1]);
  expect((await read([...bars, funding(9)], { fromMs: START + 8 * HOUR })).rows).toEqual([]);
});

// Goal: a run opens a tape and reads it once. Method: the uses of the stream are counted, with the starts in the
// manifest and without them, which gives the same surveys and the same events.
test("a whole stream whose manifest has the starts is read once", async () => {
  const events: readonly TestEvent[] = [
    { kind: "mark", timeMs: START, price: 7 },
    { kind: "bar", timeMs: START + HOUR, ohlc: [7, 9, 6, 8], volume: 1 },
    { kind: "trade", timeMs: START + 2 * HOUR, price: 3, size: 1, market: 1 },
    { kind: "bar", timeMs: START + 3 * HOUR, ohlc: [8, 9, 6, 8], volume: 1 },
  ];
  const source = memorySource(events, { markets: ["BTC", "ETH"], chunkRows: 1 });
  const starts = new MarketStarts(2);
  for await (const chunk of source.chunks()) starts.add(chunk);
  const markets = source.manifest.markets.map((market, place) => {
    const start = starts.get(place);
    return start === undefined ? market : { ...market, start };
  });
  let reads = 0;
  const counted = (manifest: TapeManifest): EventSource => ({
    ...source,
    manifest,
    chunks(range) {
      reads++;
      return source.chunks(range);
    },
  });
  const known = await openTradable(counted({ ...source.manifest, version: 2, markets }));
  expect(reads).toBe(0);
  const rows = await collectTimes(known);
  expect(reads).toBe(1);
  const surveyed = await openTradable(counted(source.manifest));
  expect(reads).toBe(2);
  expect(known.surveys).toEqual(surveyed.surveys);
  expect(rows).toEqual(await collectTimes(surveyed));
});

test("the beginning of a range is read once for its survey, and a long one is not kept", async () => {
  for (const [bars, reads] of [
    [2, 1],
    [9, 2],
  ] as const) {
    const events: TestEvent[] = Array.from({ length: bars }, (_, bar) => ({
      kind: "bar",
      timeMs: START + (bar + 1) * HOUR,
      ohlc: [7, 9, 6, 8],
      volume: 1,
    }));
    events.push({ kind: "trade", timeMs: START + bars * HOUR + 1, price: 3, size: 1, market: 1 });
    const source = memorySource(events, { markets: ["BTC", "ETH"], chunkRows: 1 });
    let begun = 0;
    const counted: EventSource = {
      ...source,
      chunks(range) {
        begun++;
        return source.chunks(range);
      },
    };
    const stream = await openTradable(counted, { fromMs: START });
    const times = await collectTimes(stream);
    expect(begun).toBe(reads);
    expect(times.length).toBe(bars + 1);
    expect(await collectTimes(stream)).toEqual(times);
  }
});
