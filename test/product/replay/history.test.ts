import fc from "fast-check";
import { expect, test } from "vitest";
import type { EventSource } from "../../../src/product/market-data/types.ts";
import { History } from "../../../src/product/replay/history.ts";
import { defineMarket } from "../../../src/product/replay/marketDefinition.ts";
import { resolveReplay } from "../../../src/product/replay/settings.ts";
import { surveyMarkets } from "../../../src/product/replay/surveyMarkets.ts";
import { HOUR, memorySource, START, type TestEvent } from "../backtest/memorySource.ts";

const trade = (ms: number, price: number): TestEvent => ({
  kind: "trade",
  timeMs: START + ms,
  price,
  size: 1,
  market: 0,
});
const bar = (hour: number, price: number, market: number): TestEvent => ({
  kind: "bar",
  timeMs: START + hour * HOUR,
  ohlc: [price, price + 2, price - 1, price + 1],
  volume: 1_000,
  market,
});

async function createHistory(source: EventSource): Promise<History> {
  const { manifest } = source;
  const surveys = await surveyMarkets(manifest, source.chunks());
  const markets = manifest.markets.map((market, place) =>
    defineMarket(market, { firstPrice: surveys[place]!.firstPrice }),
  );
  return new History({ manifest, markets, surveys, settings: resolveReplay() });
}

/** Actions and their times, including blocks wanted at `dueMs`. */
async function listBlocks(source: EventSource, dueMs: readonly number[] = []) {
  const history = await createHistory(source);
  const wanted = dueMs.map((ms) => START + ms);
  const blocks: { ms: number; actions: string[] }[] = [];
  const advance = () => {
    for (;;) {
      const timeMs = history.nextBlockMs(wanted[0]);
      if (timeMs === undefined) return;
      while (wanted[0] !== undefined && wanted[0] <= timeMs) wanted.shift();
      blocks.push({ ms: timeMs - START, actions: history.take(timeMs).actions.map(({ action }) => action) });
    }
  };
  for await (const chunk of source.chunks()) {
    history.add(chunk);
    advance();
  }
  history.finish();
  advance();
  return blocks;
}

test("trades are in blocks on whole seconds, prices before flows, and bars wherever their points are", async () => {
  expect(await listBlocks(memorySource([trade(1, 100), trade(999, 101), trade(3_001, 102)]))).toEqual([
    { ms: 1_000, actions: ["oracleUpdate", "houseFlow"] },
    { ms: 4_000, actions: ["oracleUpdate", "houseFlow"] },
  ]);
  const bars = await listBlocks(memorySource([bar(1, 100, 0), bar(2, 101, 0)]));
  expect(bars.map(({ ms }) => ms)).toEqual(
    [1, HOUR / 3, (HOUR * 2) / 3, HOUR]
      .flatMap((ms, at) => (at === 3 ? [ms, HOUR + 1] : [ms]))
      .concat([HOUR / 3, (HOUR * 2) / 3, HOUR].map((ms) => HOUR + ms)),
  );
});

test("a block wanted in between is on the grid, without history, and there is none after the end", async () => {
  const source = memorySource([trade(0, 100), trade(5_000, 101)]);
  expect(await listBlocks(source, [1, 2_000, 2_001, 9_000])).toEqual([
    { ms: 0, actions: ["oracleUpdate", "houseFlow"] },
    { ms: 1_000, actions: [] },
    { ms: 2_000, actions: [] },
    { ms: 3_000, actions: [] },
    { ms: 5_000, actions: ["oracleUpdate", "houseFlow"] },
  ]);
});

// Goal: how a stream is cut into chunks, and how far it is read ahead, changes nothing.
// Method: events of two markets, one of trades and one of bars, in chunks of any size.
test("chunks of any size make the same blocks", async () => {
  const arbitraryEvents = fc
    .array(fc.integer({ min: 0, max: 3 * HOUR }), { minLength: 1, maxLength: 20 })
    .map((times) => [
      ...times.map((ms, at) => trade(ms, 100 + at)),
      ...[1, 2, 3].map((hour) => bar(hour, 50 + hour, 1)),
    ]);
  await fc.assert(
    fc.asyncProperty(arbitraryEvents, fc.integer({ min: 1, max: 8 }), async (events, chunkRows) => {
      const markets = ["A", "B"];
      const whole = await listBlocks(memorySource(events, { markets }));
      expect(await listBlocks(memorySource(events, { markets, chunkRows }))).toEqual(whole);
      expect(whole.length).toBeGreaterThan(3);
    }),
    { numRuns: 50 },
  );
});

test("nothing of a row reaches a block before it was there, and the stream is read no further than needed", async () => {
  const source = memorySource([trade(1_500, 100), trade(1_600, 101), trade(9_000, 102)], { chunkRows: 1 });
  const history = await createHistory(source);
  const chunks = source.chunks()[Symbol.asyncIterator]();
  const read = async () => history.add((await chunks.next()).value);
  await read();
  expect([history.firstMs, history.nextBlockMs()]).toEqual([START + 2_000, undefined]);
  await read();
  // There may be more of that second.
  expect(history.nextBlockMs()).toBeUndefined();
  await read();
  expect(history.nextBlockMs()).toBe(START + 2_000);
});
