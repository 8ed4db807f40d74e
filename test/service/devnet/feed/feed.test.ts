import { expect, onTestFinished, test } from "vitest";
import type { PositionRow } from "../../../../src/engine/state/schema.ts";
import { isDataError } from "../../../../src/market-data/errors.ts";
import type { EventSource } from "../../../../src/market-data/types.ts";
import { createDevnet } from "../../../../src/service/devnet/createDevnet.ts";
import { type PlayOptions, playRecording } from "../../../../src/service/devnet/feed/feed.ts";
import { readPrices } from "../../../../src/service/devnet/feed/prices.ts";
import { firstPricesOf, genesisOfRecording, openRecording } from "../../../../src/service/devnet/feed/recording.ts";
import { createMakers } from "../../../../src/service/devnet/makers.ts";
import { createDevnetGenesis, openMarkets } from "../../../../src/service/devnet/venue.ts";
import { createHost } from "../../../../src/service/host/createHost.ts";
import { DEVELOPMENT_AUTHORITY_KEYS } from "../../../../src/service/host/development.ts";
import type { BlockMode } from "../../../../src/service/host/options.ts";
import { HOUR, memorySource, START, type TestEvent } from "../../../backtest/memorySource.ts";

const MARKETS = ["BTC-PERP", "DOGE-PERP"];
const bar = (hour: number, ...ohlc: [number, number, number, number]): TestEvent => ({
  kind: "bar",
  timeMs: START + hour * HOUR,
  ohlc,
  volume: 1,
});
const trade = (ms: number, price: number, market = 1): TestEvent => ({
  kind: "trade",
  timeMs: START + ms,
  price,
  size: 5,
  market,
});

async function stepsOf(source: EventSource, afterMs = 0) {
  const steps: [number, Record<string, number>][] = [];
  for await (const { timeMs, prices } of readPrices(await openRecording(source), afterMs)) {
    steps.push([timeMs - START, Object.fromEntries(prices.map(({ market, price }) => [market, price / 1e8]))]);
  }
  return steps;
}

interface Options {
  readonly makers?: number;
  readonly blocks?: BlockMode;
}

async function open(source: EventSource, { makers = 0, blocks = { mode: "auto" } }: Options = {}) {
  const recording = await openRecording(source);
  const host = createHost({
    genesis: createDevnetGenesis({ genesis: genesisOfRecording(recording) }),
    authorityKeys: DEVELOPMENT_AUTHORITY_KEYS,
    time: { kind: "step", stepMs: 1 },
    blocks,
    clock: () => START,
  });
  onTestFinished(() => host.close());
  await openMarkets(host, firstPricesOf(recording));
  const bots = createMakers(host, { count: makers });
  await bots.start();
  onTestFinished(() => bots.stop());
  const play = (options: Partial<PlayOptions> = {}) =>
    playRecording(host, recording, { speed: Number.POSITIVE_INFINITY, ...options });
  const oracle = (market: string) => host.state.markets.oracle[host.state.marketRows.get(market)!]! / 1e8;
  const hash = () => host.block(host.state.height)!.hash;
  return { host, play, oracle, hash };
}

test("a bar is the path that a backtest makes of it, and begins before its row", async () => {
  const bars = memorySource([bar(1, 100, 103, 95, 98), bar(2, 98, 110, 97, 108)], { markets: MARKETS.slice(0, 1) });
  expect(await stepsOf(bars)).toEqual([
    [1, { "BTC-PERP": 100 }],
    [HOUR / 3, { "BTC-PERP": 103 }],
    [(HOUR * 2) / 3, { "BTC-PERP": 95 }],
    [HOUR, { "BTC-PERP": 98 }],
    [HOUR + 1, { "BTC-PERP": 98 }],
    [HOUR + HOUR / 3, { "BTC-PERP": 97 }],
    [HOUR + (HOUR * 2) / 3, { "BTC-PERP": 110 }],
    [HOUR * 2, { "BTC-PERP": 108 }],
  ]);
});

test("trades are the last of each second, at its end", async () => {
  const trades = [0, 1, 999, 1_000, 1_001, 5_500].map((ms, at) => trade(ms, at + 1, 0));
  const expected = [
    [0, { "BTC-PERP": 1 }],
    [1_000, { "BTC-PERP": 4 }],
    [2_000, { "BTC-PERP": 5 }],
    [6_000, { "BTC-PERP": 6 }],
  ];
  const markets = MARKETS.slice(0, 1);
  for (const chunkRows of [1, 2, 100])
    expect(await stepsOf(memorySource(trades, { markets, chunkRows }))).toEqual(expected);
});

test("markets of trades and of bars come in the order of time, and as one where they meet, whatever the chunks", async () => {
  const events = [bar(1, 100, 103, 95, 98), trade(500, 0.1), trade(HOUR, 0.2), trade(HOUR + 1, 0.3)];
  const steps = await stepsOf(memorySource(events, { markets: MARKETS }));
  expect(steps).toEqual([
    [1, { "BTC-PERP": 100 }],
    [1_000, { "DOGE-PERP": 0.1 }],
    [HOUR / 3, { "BTC-PERP": 103 }],
    [(HOUR * 2) / 3, { "BTC-PERP": 95 }],
    [HOUR, { "BTC-PERP": 98, "DOGE-PERP": 0.2 }],
    [HOUR + 1_000, { "DOGE-PERP": 0.3 }],
  ]);
  for (const chunkRows of [1, 2, 3]) {
    expect(await stepsOf(memorySource(events, { markets: MARKETS, chunkRows }))).toEqual(steps);
  }
});

test("an index comes before trades, and a mark is what is left", async () => {
  const markets = MARKETS.slice(0, 1);
  const index: TestEvent = { kind: "index", timeMs: START + 2_000, price: 7 };
  const mark: TestEvent = { kind: "mark", timeMs: START + 3_000, price: 8 };
  expect(await stepsOf(memorySource([trade(0, 1, 0), index, mark], { markets }))).toEqual([[2_000, { "BTC-PERP": 7 }]]);
  expect(await stepsOf(memorySource([mark], { markets }))).toEqual([[3_000, { "BTC-PERP": 8 }]]);
});

test("a market without a price is refused", async () => {
  const source = memorySource([{ kind: "funding", timeMs: START, rate: 0.0001 }], { markets: ["BTC-PERP"] });
  await expect(openRecording(source)).rejects.toSatisfy((error) => isDataError(error, "SOURCE_INVALID"));
});

const EVENTS = [
  bar(1, 60_000, 60_300, 59_500, 59_800),
  bar(2, 59_800, 61_000, 59_700, 60_900),
  trade(500, 0.1012),
  trade(HOUR, 0.1034),
];

test("the venue begins right before the data, has its markets, and reports each price at its time", async () => {
  const { host, play, oracle } = await open(memorySource(EVENTS, { markets: MARKETS }));
  expect(host.genesis.timeMs).toBe(START + 1 - 1_000);
  expect([...host.state.marketRows.keys()]).toEqual(["BTC-PERP", "ETH-PERP", "SOL-PERP", "DOGE-PERP"]);
  expect([oracle("BTC-PERP"), oracle("DOGE-PERP")]).toEqual([60_000, 0.1012]);
  const times: number[] = [];
  host.onBlock(({ timeMs }) => times.push(timeMs - START));
  expect(await play()).toEqual({ blocks: 9, prices: 10, refused: 0, timeMs: START + 2 * HOUR, isWhole: true });
  expect(times).toEqual((await stepsOf(memorySource(EVENTS, { markets: MARKETS }))).map(([timeMs]) => timeMs));
  expect([oracle("BTC-PERP"), oracle("DOGE-PERP")]).toEqual([60_900, 0.1034]);
  // Nothing of it is after the venue's time any more.
  expect(await play()).toMatchObject({ blocks: 0, isWhole: true });
});

test("a market that the data brings can be quoted, and the same data gives the same chain", async () => {
  const source = memorySource(EVENTS, { markets: MARKETS });
  const [first, same] = [await open(source, { makers: 2 }), await open(source, { makers: 2 })];
  await first.play();
  // At another pace: each wait is over at once, by a clock that jumps.
  let nowMs = 0;
  const slept: number[] = [];
  await same.play({
    speed: 60,
    clock: () => nowMs,
    async sleep(ms) {
      slept.push(ms);
      nowMs += ms;
    },
  });
  expect(first.hash()).toBe(same.hash());
  expect(first.host.state.height).toBeGreaterThan(20);
  expect(slept.reduce((sum, ms) => sum + ms, 0) / 1_000).toBeCloseTo((2 * HOUR) / 60 / 1_000, 0);
  const { positions, marketRows } = first.host.state;
  const doge = marketRows.get("DOGE-PERP")!;
  const counts = Array.from(positions.orderCount as ArrayLike<number>);
  const quotes = counts.filter((_, row) => positions.market[row as PositionRow] === doge);
  expect(quotes.reduce((sum, count) => sum + count, 0)).toBe(20);
});

test.each<BlockMode>([{ mode: "manual" }, { mode: "batch", size: 5 }])(
  "blocks are made in any mode: $mode",
  async (blocks) => {
    const { play, oracle, host } = await open(memorySource(EVENTS, { markets: MARKETS }), { blocks });
    const { height } = host.state;
    expect(await play()).toMatchObject({ blocks: 9, refused: 0 });
    expect(host.state.height).toBe(height + 9);
    expect(oracle("BTC-PERP")).toBe(60_900);
  },
);

test("a price that the rules refuse is counted, and the others follow", async () => {
  const events = [trade(1_000, 1, 0), trade(2_000, 80_000_000, 0), trade(3_000, 2, 0)];
  const { play, oracle } = await open(memorySource(events, { markets: ["X"] }));
  expect(await play()).toMatchObject({ blocks: 3, prices: 3, refused: 1, isWhole: true });
  expect(oracle("X")).toBe(2);
});

test("a devnet within a test plays data, and stands where it ended", async () => {
  const devnet = await createDevnet({ data: memorySource(EVENTS, { markets: MARKETS }), makers: { count: 1 } });
  onTestFinished(() => devnet.close());
  expect(await devnet.play()).toMatchObject({ blocks: 9, refused: 0, timeMs: START + 2 * HOUR, isWhole: true });
  expect(devnet.host.state.marketRows.has("DOGE-PERP")).toBe(true);
  const without = await createDevnet();
  onTestFinished(() => without.close());
  expect(() => without.play()).toThrow("no recording");
});

test("it ends when it is told to, while it waits", async () => {
  const { play, host } = await open(memorySource(EVENTS, { markets: MARKETS }));
  const stop = new AbortController();
  const playing = play({ speed: 1, signal: stop.signal });
  setImmediate(() => stop.abort());
  expect(await playing).toMatchObject({ blocks: 0, isWhole: false });
  expect(host.failure).toBeUndefined();
});
