import { expect, onTestFinished, test } from "vitest";
import type { EventSource } from "../../../../src/product/market-data/types.ts";
import { isReplayError } from "../../../../src/product/replay/errors.ts";
import { HOUSE } from "../../../../src/product/replay/house.ts";
import { decodePayload } from "../../../../src/protocol/codec.ts";
import type { GenesisInit } from "../../../../src/protocol/genesis.ts";
import { DEVELOPMENT_ACCOUNTS } from "../../../../src/server/devnet/accounts.ts";
import { createDevnet } from "../../../../src/server/devnet/createDevnet.ts";
import { type PlayOptions, playRecording } from "../../../../src/server/devnet/feed/feed.ts";
import { genesisOfRecording, openRecording, pricesOfOthers } from "../../../../src/server/devnet/feed/recording.ts";
import { createMakers } from "../../../../src/server/devnet/makers.ts";
import { UserSigner } from "../../../../src/server/devnet/userSigner.ts";
import { createDevnetGenesis, openMarkets } from "../../../../src/server/devnet/venue.ts";
import { viewSide } from "../../../../src/server/face/views/book.ts";
import { createHost } from "../../../../src/server/host/createHost.ts";
import { DEVELOPMENT_AUTHORITY_KEYS } from "../../../../src/server/host/development.ts";
import { openHost } from "../../../../src/server/host/openHost.ts";
import type { BlockMode } from "../../../../src/server/host/options.ts";
import type { PositionRow } from "../../../../src/venue/engine/state/schema.ts";
import { TestClient } from "../../../helpers/host.ts";
import { createFolder } from "../../../helpers/project.ts";
import { HOUR, memorySource, START, type TestEvent } from "../../../product/backtest/memorySource.ts";

const MARKETS = ["BTC-PERP", "DOGE-PERP"];
const bar = (hour: number, ...ohlc: [number, number, number, number]): TestEvent => ({
  kind: "bar",
  timeMs: START + hour * HOUR,
  ohlc,
  volume: 160,
});
const trade = (ms: number, price: number, market = 1, side?: 1 | -1): TestEvent => ({
  kind: "trade",
  timeMs: START + ms,
  price,
  size: 5,
  market,
  ...(side === undefined ? {} : { side }),
});

interface Options {
  readonly makers?: number;
  readonly blocks?: BlockMode;
  readonly given?: GenesisInit;
  /** On disk, in this folder. */
  readonly directory?: string;
}

async function open(source: EventSource, { makers = 0, blocks = { mode: "auto" }, ...more }: Options = {}) {
  const { given, directory } = more;
  const recording = await openRecording(source);
  const hostOptions = {
    genesis: createDevnetGenesis({ genesis: genesisOfRecording(recording, given) }),
    authorityKeys: DEVELOPMENT_AUTHORITY_KEYS,
    time: { kind: "step", stepMs: 1 },
    blocks,
    clock: () => START,
  } as const;
  const host = directory === undefined ? createHost(hostOptions) : await openHost({ ...hostOptions, directory });
  onTestFinished(() => host.close());
  await openMarkets(host, pricesOfOthers(recording));
  const bots = createMakers(host, { count: makers });
  await bots.start();
  onTestFinished(() => bots.stop());
  const play = (options: Partial<PlayOptions> = {}) =>
    playRecording(host, recording, { speed: Number.POSITIVE_INFINITY, ...options });
  const rowOf = (market: string) => host.state.marketRows.get(market)!;
  const oracle = (market: string) => host.state.markets.oracle[rowOf(market)]! / 1e8;
  const book = (market: string) => ({
    bids: viewSide(host.state, rowOf(market), "bids", 5).map(([price, size]) => [price, size]),
    asks: viewSide(host.state, rowOf(market), "asks", 5).map(([price, size]) => [price, size]),
  });
  const hash = () => host.block(host.state.height)!.hash;
  const times: number[] = [];
  host.onBlock(({ timeMs }) => times.push(timeMs - START));
  return { host, play, oracle, book, hash, times };
}

/** Sends something of the first account's. */
function sender(host: Awaited<ReturnType<typeof open>>["host"]) {
  const signer = new UserSigner(host, DEVELOPMENT_ACCOUNTS[0]!.privateKey);
  return () => signer.send("noop", decodePayload("noop", {}));
}

const EVENTS = [
  bar(1, 60_000, 60_300, 59_500, 59_800),
  bar(2, 59_800, 61_000, 59_700, 60_900),
  trade(500, 0.1012),
  trade(HOUR, 0.1034),
];

test("the venue begins right before the data, with its house and its markets, and those it has besides", async () => {
  const { host, oracle } = await open(memorySource(EVENTS, { markets: MARKETS }));
  // Where trades are recorded, blocks are at whole seconds.
  expect(host.genesis.timeMs).toBe(START + 1_000 - 1_000);
  expect([...host.state.marketRows.keys()]).toEqual(["BTC-PERP", "DOGE-PERP", "ETH-PERP", "SOL-PERP"]);
  expect(["ETH-PERP", "SOL-PERP", "BTC-PERP"].map(oracle)).toEqual([3_000, 150, 0]);
  expect(host.genesis.markets.map(({ preset }) => preset)).toEqual(["replay", "replay", "linear", "linear"]);
  const house = host.genesis.accounts.filter(({ role }) => role === "house");
  expect(house).toEqual([{ address: HOUSE.address, subaccount: 0, role: "house", balance: "0" }]);
});

test("a recorded market or a time that genesis sets keeps its values", async () => {
  const given = {
    timeMs: START + 2 * HOUR,
    markets: [{ name: "BTC-PERP", preset: "linear", parameters: { tickSize: "10" } }],
    accounts: [{ address: HOUSE.address, subaccount: 0, role: "house", balance: "7" }],
  } satisfies GenesisInit;
  const { host, play } = await open(memorySource(EVENTS, { markets: MARKETS }), { given });
  expect(host.genesis).toMatchObject({ timeMs: given.timeMs, accounts: [given.accounts[0], ...Array(10).fill({})] });
  expect(host.genesis.markets.map(({ name, preset }) => [name, preset])).toEqual([
    ["BTC-PERP", "linear"],
    ["DOGE-PERP", "replay"],
  ]);
  expect(await play()).toMatchObject({ blocks: 0, isWhole: true });
});

test("a bar is the path that a backtest makes of it, with depth at each of its points", async () => {
  const bars = memorySource([bar(1, 100, 103, 95, 98), bar(2, 98, 110, 97, 108)], { markets: MARKETS.slice(0, 1) });
  const { host, play, book, oracle } = await open(bars);
  const seen: [number, number, string, string, string][] = [];
  await play({
    afterBlock() {
      const [bid, ask, last] = [book("BTC-PERP").bids, book("BTC-PERP").asks, oracle("BTC-PERP")];
      seen.push([host.state.timeMs - START, last, `${bid[0]}`, `${ask[0]}`, `${bid.length} ${ask.length}`]);
    },
  });
  // A tenth of the volume over four points, in four parts; the price is at the ask where it came up to it.
  expect(seen).toEqual([
    [1, 100, "99.9,1", "100,1", "4 4"],
    [HOUR / 3, 103, "102.9,1", "103,1", "4 4"],
    [(HOUR * 2) / 3, 95, "95,1", "95.1,1", "4 4"],
    [HOUR, 98, "97.9,1", "98,1", "4 4"],
    [HOUR + 1, 98, "97.9,1", "98,1", "4 4"],
    [HOUR + HOUR / 3, 97, "97,1", "97.1,1", "4 4"],
    [HOUR + (HOUR * 2) / 3, 110, "109.9,1", "110,1", "4 4"],
    [HOUR * 2, 108, "108,1", "108.1,1", "4 4"],
  ]);
});

test("trades are gathered by the second, and leave the last one's size on both sides", async () => {
  const trades = [0, 1, 999, 1_000, 1_001, 5_500].map((ms, at) =>
    trade(ms, at + 1_001, 0, at % 2 === 0 || at === 5 ? 1 : -1),
  );
  for (const chunkRows of [1, 2, 100]) {
    const { play, book, times } = await open(memorySource(trades, { markets: ["X"], chunkRows }));
    const seen: unknown[] = [];
    await play({ afterBlock: () => seen.push(book("X")) });
    expect(times).toEqual([0, 1_000, 2_000, 6_000]);
    expect(seen).toEqual([
      { bids: [["1000", "5"]], asks: [["1001", "5"]] },
      { bids: [["1004", "5"]], asks: [["1005", "5"]] },
      { bids: [["1004", "5"]], asks: [["1005", "5"]] },
      { bids: [["1005", "5"]], asks: [["1006", "5"]] },
    ]);
  }
});

test("markets of trades and of bars come in the order of time, and as one where they meet, whatever the chunks", async () => {
  const events = [...EVENTS, trade(HOUR + 1, 0.3)];
  const roots = new Set<string>();
  for (const chunkRows of [1, 2, 3, 100]) {
    const { play, times, hash } = await open(memorySource(events, { markets: MARKETS, chunkRows }));
    expect(await play()).toMatchObject({ isWhole: true, refused: 0 });
    const hour = [HOUR / 3, (HOUR * 2) / 3, HOUR, HOUR + 1_000];
    expect(times).toEqual([1_000, ...hour, HOUR + HOUR / 3, HOUR + (HOUR * 2) / 3, 2 * HOUR]);
    roots.add(hash());
  }
  expect(roots.size).toBe(1);
});

test("a market of reference prices alone has those, its bars as a path, and no depth", async () => {
  const markets = ["X"];
  const ohlc = [7, 9, 6, 8] as const;
  const mark: TestEvent = { kind: "mark", timeMs: START + HOUR, price: 8, ohlc, intervalMs: HOUR };
  for (const events of [[mark], [{ ...mark, kind: "index" as const }]]) {
    const { host, play, oracle, book } = await open(memorySource(events, { markets }));
    const seen: [number, number][] = [];
    const afterBlock = () => seen.push([host.state.timeMs - START, oracle("X")]);
    expect(await play({ afterBlock })).toMatchObject({ blocks: 4, flows: 0, prices: 4, refused: 0 });
    expect(seen).toEqual([
      [1, 7],
      [HOUR / 3, 6],
      [(HOUR * 2) / 3, 9],
      [HOUR, 8],
    ]);
    expect(book("X")).toEqual({ bids: [], asks: [] });
  }
  const samples: TestEvent[] = [
    { kind: "index", timeMs: START + 2_000, price: 7 },
    { kind: "mark", timeMs: START + 3_500, price: 8 },
  ];
  const { host, play, oracle, times } = await open(memorySource(samples, { markets }));
  await play();
  expect([times, oracle("X"), host.state.markets.mark[host.state.marketRows.get("X")!]]).toEqual([
    [2_000, 4_000],
    7,
    8e8,
  ]);
});

test("recorded funding is paid as recorded", async () => {
  const funding: TestEvent = { kind: "funding", timeMs: START + HOUR, rate: 0.0001 };
  const trades = [trade(500, 100, 0), trade(HOUR, 101, 0)];
  const { host, play } = await open(memorySource([...trades, funding], { markets: ["X"] }));
  expect(await play()).toMatchObject({ refused: 0 });
  expect(host.state.markets.fundingRate[host.state.marketRows.get("X")!]).toBe(100_000);
});

test("makers can quote in a recorded market alongside the house, and the same data gives the same chain", async () => {
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
  expect(first.host.state.height).toBeGreaterThan(16);
  expect(slept.reduce((sum, ms) => sum + ms, 0) / 1_000).toBeCloseTo((2 * HOUR) / 60 / 1_000, 0);
  const { positions, marketRows } = first.host.state;
  const doge = marketRows.get("DOGE-PERP")!;
  const counts = Array.from(positions.orderCount as ArrayLike<number>);
  const quotes = counts.filter((_, row) => positions.market[row as PositionRow] === doge);
  // Five levels on two sides for each maker, and what the house has.
  expect(quotes.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(20);
});

test.each<BlockMode>([{ mode: "manual" }, { mode: "batch", size: 5 }])(
  "blocks are made in any mode: $mode",
  async (blocks) => {
    const { play, oracle, host } = await open(memorySource(EVENTS, { markets: MARKETS }), { blocks });
    const { height } = host.state;
    expect(await play()).toMatchObject({ blocks: 8, refused: 0 });
    expect(host.state.height).toBe(height + 8);
    expect(oracle("BTC-PERP")).toBe(60_900);
    expect(host.blockMode).toEqual(blocks);
  },
);

test("other transactions get a block right after, or, without room for one, enter the next", async () => {
  const bars = memorySource([bar(1, 100, 103, 95, 98), bar(2, 98, 110, 97, 108)], { markets: ["X"] });
  const { host, play, times } = await open(bars);
  const send = sender(host);
  const carried = new Map<number, number>();
  host.onBlock(({ timeMs, transactions }) =>
    carried.set(timeMs - START, transactions.filter(({ action }) => action === "noop").length),
  );
  await play({ afterBlock: () => send() });
  const third = HOUR / 3;
  const own = (from: number) => [from, from + 1];
  expect(times).toEqual([
    ...own(1),
    ...own(third),
    ...own(2 * third),
    // The close and the next open are 1 ms apart.
    ...own(HOUR),
    HOUR + 2,
    ...own(HOUR + third),
    ...own(HOUR + 2 * third),
    ...own(2 * HOUR),
  ]);
  expect([carried.get(HOUR), carried.get(HOUR + 1), carried.get(HOUR + 2)]).toEqual([0, 1, 1]);
  expect(host.blockMode).toEqual({ mode: "auto" });
});

test("with a step as long as a block gathers, other transactions enter the recording's blocks, as in a backtest", async () => {
  const trades = [0, 1_000, 2_000, 5_000].map((ms, at) => trade(ms, 1_000 + at, 0));
  const { host, play, times } = await open(memorySource(trades, { markets: ["X"] }));
  const send = sender(host);
  const carried: number[] = [];
  host.onBlock(({ transactions }) => carried.push(transactions.filter(({ action }) => action === "noop").length));
  await play({ stepMs: 1_000, afterBlock: () => send() });
  expect(times).toEqual([0, 1_000, 2_000, 3_000, 5_000, 6_000]);
  expect(carried).toEqual([0, 1, 1, 1, 0, 1]);
});

test("in a venue without blocks of its own, a waiting strategy gets a block where a backtest makes one", async () => {
  const source = memorySource([trade(0, 1, 0), trade(5_000, 2, 0)], { markets: ["X"] });
  const { host, play, times } = await open(source, { blocks: { mode: "manual" } });
  const send = sender(host);
  let sent = 0;
  // It answers the first block and the one with its answer, then rests.
  await play({ afterBlock: () => (sent++ < 2 ? send() : undefined) });
  expect(times).toEqual([0, 1_000, 2_000, 5_000]);
  expect(host.pool.size).toBe(0);
});

test("a transaction that no block can carry makes no block", async () => {
  const { host, play, times } = await open(memorySource([trade(0, 1, 0), trade(5_000, 2, 0)], { markets: ["X"] }), {
    blocks: { mode: "manual" },
  });
  const client = new TestClient(DEVELOPMENT_ACCOUNTS[0]!.privateKey, host.genesis);
  let blocks = 0;
  await play({
    afterBlock() {
      if (blocks++ > 0) return;
      // The nonce before it never comes.
      const { key, ...signed } = client.noop({ nonce: 1 });
      void host.submit(signed, key);
    },
  });
  expect(times).toEqual([0, 1_000, 5_000]);
  expect(host.pool.size).toBe(1);
});

test("a venue on disk that stops in the middle resumes where it ended, to the same chain", async () => {
  const source = memorySource([...EVENTS, ...[1, 2, 3, 4].map((n) => trade(HOUR + n * 900, 0.1 + n / 1_000))], {
    markets: MARKETS,
    chunkRows: 2,
  });
  const whole = await open(source);
  await whole.play();
  const directory = createFolder();
  for (let blocks = 0, starts = 0; ; starts++) {
    const part = await open(source, { directory });
    const stop = new AbortController();
    const played = await part.play({ signal: stop.signal, afterBlock: () => ++blocks % 3 === 0 && stop.abort() });
    const { height } = part.host.state;
    await part.host.close();
    if (!played.isWhole) continue;
    expect(starts).toBeGreaterThan(2);
    expect([height, part.hash()]).toEqual([whole.host.state.height, whole.hash()]);
    expect(part.book("DOGE-PERP")).toEqual(whole.book("DOGE-PERP"));
    break;
  }
  expect(await whole.play()).toMatchObject({ blocks: 0, isWhole: true });
});

test("refused prices and flows are counted, and the rest follows", async () => {
  const { host, play, oracle } = await open(
    memorySource(
      [1, 2, 3].map((at) => trade(at * 1_000, at, 0)),
      { markets: ["X"] },
    ),
  );
  await host.submitSystem(
    "updateMarket",
    decodePayload("updateMarket", { market: "X", parameters: [{ name: "pauseTrade", value: "on" }] }),
  );
  expect(await play()).toMatchObject({ blocks: 3, prices: 3, flows: 3, refused: 3, isWhole: true });
  expect(oracle("X")).toBe(3);
});

test("a recording that fits no venue, or not this one, is refused with the fault and its place", async () => {
  const faultOf = async (work: Promise<unknown>) => {
    const error = await work.catch((found: unknown) => found);
    if (!isReplayError(error)) throw error;
    return [error.code, error.place, error.message];
  };
  const rates = memorySource([{ kind: "funding", timeMs: START, rate: 0.0001 }], { markets: ["BTC-PERP"] });
  expect(await faultOf(openRecording(rates))).toEqual(["DATA_UNUSABLE", "BTC-PERP", "market BTC-PERP has no price"]);
  const source = memorySource(EVENTS, { markets: MARKETS });
  expect(await faultOf(openRecording(source, { tick: "0" }))).toMatchObject([
    "OPTION_INVALID",
    "tick",
    expect.any(String),
  ]);
  expect(await faultOf(openRecording(source, { participation: "2" }))).toMatchObject([
    "OPTION_INVALID",
    "participation",
    expect.any(String),
  ]);

  const other = await open(memorySource([trade(0, 1, 0)], { markets: ["X"] }));
  expect(await faultOf(playRecording(other.host, await openRecording(source), { speed: 1 }))).toEqual([
    "OPTION_INVALID",
    "data",
    "the venue has no market DOGE-PERP",
  ]);
  const bare = await createDevnet();
  onTestFinished(() => bare.close());
  const solana = await openRecording(memorySource([trade(0, 100, 0)], { markets: ["SOL-PERP"] }));
  expect((await faultOf(playRecording(bare.host, solana, { speed: 1 })))[2]).toMatch(/no house account/);

  const uneven = [bar(1, 100, 103, 95, 98), { ...bar(2, 98, 110, 97, 108), intervalMs: HOUR / 2 } as TestEvent];
  const { play } = await open(memorySource(uneven, { markets: ["X"] }));
  expect(await faultOf(play())).toMatchObject(["DATA_UNUSABLE", "X", expect.any(String)]);
  const rocket = await open(memorySource([trade(1_000, 1, 0), trade(2_000, 80_000_000, 0)], { markets: ["X"] }));
  expect(await faultOf(rocket.play())).toMatchObject(["MARKET_IMPOSSIBLE", "X", expect.any(String)]);
  expect([rocket.oracle("X"), rocket.host.failure]).toEqual([1, undefined]);
});

test("a devnet within a test plays data, and stays at its end", async () => {
  const devnet = await createDevnet({ data: memorySource(EVENTS, { markets: MARKETS }), makers: { count: 1 } });
  onTestFinished(() => devnet.close());
  expect(await devnet.play()).toMatchObject({ blocks: 8, refused: 0, timeMs: START + 2 * HOUR, isWhole: true });
  expect(devnet.host.state.marketRows.has("DOGE-PERP")).toBe(true);
  const { body } = await devnet.endpoint.request({ method: "GET", path: "/api/v1/markets/DOGE-PERP/trades" });
  expect(JSON.parse(body).data.map(({ kind, price }: Record<string, string>) => [kind, price])).toContainEqual([
    "recorded",
    "0.1034",
  ]);
  const without = await createDevnet();
  onTestFinished(() => without.close());
  expect(() => without.play()).toThrow("no recording");
});

test("it ends on the signal, while it waits", async () => {
  const { play, host } = await open(memorySource(EVENTS, { markets: MARKETS }));
  const stop = new AbortController();
  const playing = play({ speed: 1, signal: stop.signal });
  setImmediate(() => stop.abort());
  expect(await playing).toMatchObject({ blocks: 0, isWhole: false });
  expect(host.failure).toBeUndefined();
  expect(host.blockMode).toEqual({ mode: "auto" });
});
