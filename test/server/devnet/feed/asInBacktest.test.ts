import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { createVenueClient, privateKeyToAccount } from "../../../../src/client/sdk/index.ts";
import { type RunStrategyOptions, runStrategy } from "../../../../src/client/sdk/strategy/runStrategy.ts";
import { inProcess } from "../../../../src/client/sdk/transport/inProcess.ts";
import type { AnyStrategy } from "../../../../src/client/strategy/strategy.ts";
import { runBacktest } from "../../../../src/product/backtest/runBacktest.ts";
import { openData } from "../../../../src/product/market-data/readSources.ts";
import type { EventSource, TimeRange } from "../../../../src/product/market-data/types.ts";
import { DEVELOPMENT_ACCOUNTS } from "../../../../src/server/devnet/accounts.ts";
import { createDevnet } from "../../../../src/server/devnet/createDevnet.ts";
import type { RecordingOptions } from "../../../../src/server/devnet/feed/recording.ts";
import { viewSide } from "../../../../src/server/face/views/book.ts";
import type { State } from "../../../../src/venue/engine/state/state.ts";
import { fifo } from "../../../../src/venue/simulation/pool/policy.ts";
import { run, strategy } from "../../../product/backtest/helpers.ts";
import { hourlyBars, memorySource } from "../../../product/backtest/memorySource.ts";
import { restless, wander, watching } from "../../../product/backtest/wander.ts";

const STEPS = { tick: "1", lot: "0.01" };

/** A backtest, with all facts that the strategy received in it. */
async function runOnce(data: EventSource, trader: AnyStrategy, deposit: string, replay: RecordingOptions) {
  const facts: unknown[] = [];
  const options = { data, strategy: watching(trader, facts), leverage: 3, deposit, seed: "s", ...replay };
  const backtest = await run(options as Parameters<typeof run>[0]);
  return { facts, backtest };
}

const live: RunStrategyOptions = { leverage: 3, seed: "s" };
const sources = [
  ["trades", memorySource(wander(4, 160), { chunkRows: 50 })],
  [
    "bars",
    memorySource(
      hourlyBars(
        Array.from({ length: 40 }, (_, at) => barAt(at)),
        3_000,
      ),
      { chunkRows: 7 },
    ),
  ],
] as const;

function barAt(at: number): [number, number, number, number] {
  const open = 10_000 + Math.round(400 * Math.sin(at / 3));
  const close = 10_000 + Math.round(400 * Math.sin((at + 1) / 3));
  return [open, Math.max(open, close) + 50 + (at % 7), Math.min(open, close) - 40 - (at % 5), close];
}

// Goal: recorded liquidity is in a devnet exactly as in a backtest, also where a strategy takes of it.
// A devnet has accounts, keys and markets of its own, so its root is another. What is traded is not.
test.each(sources)(
  "a devnet of the same %s has the same book at the same times, and the same fills",
  async (_, data) => {
    const { facts, backtest } = await runOnce(data, restless as AnyStrategy, "100000", STEPS);
    const devnet = await createDevnet({
      data,
      replay: { ...STEPS, fees: { maker: "0", taker: "0" } },
      blocks: { mode: "manual" },
      policy: fifo,
    });
    onTestFinished(() => devnet.close());
    const [account] = DEVELOPMENT_ACCOUNTS;
    const client = createVenueClient({
      transport: inProcess(devnet),
      account: privateKeyToAccount(account!.privateKey),
      statusMaxAgeMs: 0,
    });
    const seen: unknown[] = [];
    const runner = await runStrategy(client, watching(restless as AnyStrategy, seen), { ...live, markets: ["BTC"] });
    const before = devnet.host.state.height;
    expect(await devnet.play({ afterBlock: () => runner.step() })).toMatchObject({
      blocks: backtest.blocks,
      refused: 0,
    });
    // The venue opened its other markets in blocks of their own.
    const sameHeight = (fact: object) =>
      "height" in fact ? { ...fact, height: (fact.height as number) + before } : fact;
    for (const [place, fact] of facts.entries())
      expect(seen[place], `place ${place}`).toEqual(sameHeight(fact as object));
    expect(seen.length).toBe(facts.length);
  },
);

// Recorded files of real venues may be next to the repository; they are not part of it.
const real = fileURLToPath(new URL("../../../../../shared/data/real/", import.meta.url));
const isThere = existsSync(real);
if (!isThere) console.log("skipped: there is no recorded market data in ../shared/data/real");
const mapped = (market: string, mapping: string, file: string) =>
  `${market}:${fileURLToPath(new URL(`../../../../data/mappings/${mapping}.yaml`, import.meta.url))}=${real}${file}`;
const sample = (file: string) => fileURLToPath(new URL(`../../../../data/${file}`, import.meta.url));
const MINUTE = 60_000;

const recorded: readonly [name: string, isReal: boolean, paths: readonly string[], range: TimeRange][] = [
  ["trades of Binance", false, [sample("BTC-PERP-aggTrades-2024-03-05.csv.gz")], { toMs: Date.UTC(2024, 2, 5, 0, 5) }],
  [
    "hourly bars of Binance with marks and funding",
    false,
    ["klines-1h-2024.csv.gz", "markPriceKlines-1h-2024.csv.gz", "fundingRate-2024.csv"].map((file) =>
      sample(`BTC-PERP-${file}`),
    ),
    { toMs: Date.UTC(2024, 0, 4) },
  ],
  ["trades of Aster", true, [mapped("BTC-PERP", "aster_20250924_trades", "aster_20250924/BTCUSDT_trades.csv.gz")], {}],
  [
    "hourly bars and funding of two markets through 2020-03-12",
    true,
    ["BTC", "ETH"].flatMap((coin) => [
      mapped(`${coin}-PERP`, "binance_um_1h_2019_2023_bars", `binance_um_1h_2019_2023/${coin}USDT_1h.csv.gz`),
      mapped(
        `${coin}-PERP`,
        "binance_um_1h_2019_2023_funding",
        `binance_um_1h_2019_2023/${coin}USDT_funding_8h.csv.gz`,
      ),
    ]),
    { fromMs: Date.UTC(2020, 2, 11), toMs: Date.UTC(2020, 2, 14) },
  ],
];

/** A part of a source. Of one without bounds, the first two minutes. */
async function cut(source: EventSource, range: TimeRange): Promise<EventSource> {
  const bounds = Object.keys(range).length > 0 ? range : { toMs: source.manifest.fromMs + 2 * MINUTE };
  const { fromMs = source.manifest.fromMs } = bounds;
  // The part starts elsewhere than the whole.
  const markets = source.manifest.markets.map(({ start: _start, ...market }) => market);
  return { ...source, manifest: { ...source.manifest, fromMs, markets }, chunks: () => source.chunks(bounds) };
}

/** Ten levels of each side of every market of the data. */
function booksOf(state: State, { manifest }: EventSource) {
  return manifest.markets.map(({ name }) => {
    const market = state.marketRows.get(name)!;
    const { mark, index, fundingRate } = state.markets;
    const prices = [mark[market], index[market], fundingRate[market]];
    return [prices, viewSide(state, market, "bids", 10), viewSide(state, market, "asks", 10)];
  });
}

// No account trades; both run with their defaults.
for (const [name, isReal, paths, range] of recorded) {
  test.skipIf(isReal && !isThere)(`the books of ${name} are those of a backtest at every time`, async () => {
    const data = await cut(await openData(paths), range);
    onTestFinished(() => data.close());
    const expected = new Map<number, unknown>();
    await runBacktest(
      { data, strategy: strategy({}), blocks: "all" },
      { observers: [{ onBlock: (state) => void expected.set(state.timeMs, booksOf(state, data)) }] },
    );
    const devnet = await createDevnet({ data });
    onTestFinished(() => devnet.close());
    const { host } = devnet;
    const seen = new Map<number, unknown>();
    host.onBlock(() => void seen.set(host.state.timeMs, booksOf(host.state, data)));
    expect(await devnet.play()).toMatchObject({ blocks: expected.size, refused: 0, isWhole: true });
    expect(expected.size).toBeGreaterThan(50);
    for (const [timeMs, books] of expected) expect(seen.get(timeMs), new Date(timeMs).toISOString()).toEqual(books);
    expect(seen.size).toBe(expected.size);
    // And so does every read.
    const [market] = data.manifest.markets;
    const { body } = await devnet.endpoint.request({
      method: "GET",
      path: `/api/v1/markets/${market!.name}/book?depth=10`,
    });
    const { bids, asks } = JSON.parse(body).data;
    expect([bids, asks]).toEqual((expected.get(host.state.timeMs) as unknown[][])[0]!.slice(1));
  });
}
