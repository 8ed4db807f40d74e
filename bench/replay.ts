/**
 * Replay from a tape, with a strategy that does next to nothing (it buys once and holds, so that margin and funding are
 * at work in every block), margin, funding, events, effects chain and report on. On the sparse trades of Aster, where a
 * run is short, it is the second run of a process, holding and with the example `maker`.
 *
 *     npm run bench -- replay            node bench/replay.ts [--small] [--json] [--record]
 *
 * Ratios are of the same run: to every block instead of those that are needed, to the same tape read without a venue,
 * and to backtesting.py where a Python has it.
 */

import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { createWriteStream, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Type } from "typebox";
import { type AnyStrategy, defineStrategy } from "../src/client/strategy/strategy.ts";
import { Random } from "../src/ground/math/random.ts";
import type { BacktestOptions } from "../src/product/backtest/options.ts";
import { runBacktest } from "../src/product/backtest/runBacktest.ts";
import { importFiles } from "../src/product/market-data/importFiles.ts";
import { parseSource } from "../src/product/market-data/stream/marketName.ts";
import { openTape } from "../src/product/market-data/tape/openTape.ts";
import { EventKind, type EventSource } from "../src/product/market-data/types.ts";
import { hold } from "./lib/hold.ts";
import { type Figure, median, report, timeTask } from "./lib/measure.ts";
import type { SecondRun } from "./lib/secondRun.ts";

const small = process.argv.includes("--small");
/** Runs before the first that counts: V8 compiles a run's code until about the tenth. */
const WARM_UP = 10;
const ROUNDS = 7;
const folder = mkdtempSync(join(tmpdir(), "perplab-bench-"));

/** A path of prices in tenths of a dollar. */
function walk(random: Random, price: number): number {
  return Math.max(10_000, price + random.between(-8, 8));
}

async function writeLines(path: string, lines: Iterable<string>): Promise<void> {
  const out = createWriteStream(path);
  let text = "";
  for (const line of lines) {
    text += line;
    if (text.length < 1 << 20) continue;
    if (!out.write(text)) await once(out, "drain");
    text = "";
  }
  out.end(text);
  await once(out, "close");
}

function* tradeLines(count: number, perSecond: number): Generator<string> {
  const random = new Random([1, 2, 3, 4]);
  let price = 600_000;
  for (let id = 1; id <= count; id++) {
    price = walk(random, price);
    const time = 1_700_000_000_000 + Math.floor((id * 1_000) / perSecond);
    const size = random.between(1, 2_000);
    const text = `${Math.floor(price / 10)}.${price % 10},${Math.floor(size / 1_000)}.${String(size % 1_000).padStart(3, "0")}`;
    yield `${id},${text},${id},${id},${time},${random.chance(1, 2)}\n`;
  }
}

function* barLines(count: number): Generator<string> {
  const random = new Random([1, 2, 3, 4]);
  let price = 600_000;
  const text = (value: number) => `${Math.floor(value / 10)}.${value % 10}`;
  for (let bar = 0; bar < count; bar++) {
    const time = 1_600_000_020_000 + bar * 60_000;
    const open = price;
    const points = [open, walk(random, open), walk(random, open), (price = walk(random, open))];
    const high = Math.max(...points);
    const low = Math.min(...points);
    yield `${time},${text(open)},${text(high)},${text(low)},${text(price)},${random.between(10, 900)}.513,${time + 59_999},0,0,0,0,0\n`;
  }
}

async function makeTape(name: string, layout: string, lines: Iterable<string>): Promise<string> {
  const csv = join(folder, `${name}.csv`);
  const out = join(folder, `${name}.tape`);
  await writeLines(csv, lines);
  await importFiles({ sources: [{ path: csv, market: "BTC-PERP", layout }], out });
  return out;
}

interface Replay {
  readonly name: string;
  /** What is counted: all events, or bars alone, as peers count. */
  readonly counts?: "events" | "bars";
  readonly target?: string;
  readonly strategy?: AnyStrategy;
  readonly options?: Partial<BacktestOptions>;
}

/**
 * Millions of events a second with the blocks that are needed, how many times longer all blocks take in alternating
 * rounds, and how many times longer than reading the tape it takes.
 */
async function measure(
  { name, counts = "events", target, strategy = hold, options = {} }: Replay,
  tape: string,
): Promise<Figure[]> {
  const reading: number[] = [];
  const needed: number[] = [];
  const all: number[] = [];
  let events = 0;
  let bars = 0;
  let blocks = 0;
  for (let run = 0; run < (small ? 0 : WARM_UP); run++) {
    const data = await openTape(tape);
    await runBacktest({ strategy, data, ...options });
    await data.close();
  }
  for (let round = 0; round < (small ? 1 : ROUNDS); round++) {
    const data = await openTape(tape);
    const read = await timeTask(async () => {
      let rows = 0;
      for await (const chunk of data.chunks()) rows += chunk.count;
      return rows;
    });
    const replay = await timeTask(() => runBacktest({ strategy, data, ...options }));
    const whole = await timeTask(() => runBacktest({ strategy, data, ...options, blocks: "all" }));
    bars = await countBars(data, options.fromMs ?? 0);
    await data.close();
    const { finalEquity } = replay.result.input.recording.statistics;
    if (finalEquity !== whole.result.input.recording.statistics.finalEquity) throw new Error(`${name}: equity differs`);
    ({ events, blocks } = replay.result);
    if (options.fromMs === undefined && read.result !== events)
      throw new Error(`${read.result} rows read, ${events} replayed`);
    reading.push(read.cpu);
    needed.push(replay.cpu);
    all.push(whole.cpu);
  }
  const seconds = median(needed);
  return [
    {
      name,
      value: (counts === "bars" ? bars : events) / seconds / 1e6,
      unit: `M ${counts}/s`,
      ...(target === undefined ? {} : { target }),
    },
    { name: `${name}: blocks made`, value: blocks, unit: "blocks" },
    { name: `${name}: all blocks to needed ones`, value: median(all) / seconds, unit: "x" },
    { name: `${name}: time to that of reading the tape`, value: seconds / median(reading), unit: "x" },
  ];
}

const RECORDED = fileURLToPath(new URL("../../shared/data/real/", import.meta.url));
/** Bars that open at or after a time. */
async function countBars(data: EventSource, fromMs: number): Promise<number> {
  let bars = 0;
  for await (const { count, kind, timeMs, intervalMs } of data.chunks()) {
    for (let row = 0; row < count; row++) {
      if (kind[row] === EventKind.bar && timeMs[row]! - intervalMs[row]! >= fromMs) bars++;
    }
  }
  return bars;
}

const REAL = `${RECORDED}binance_um_1h_2019_2023/`;
const MAPPINGS = fileURLToPath(new URL("../data/mappings/", import.meta.url));
const SINCE = "2020-01-01";

/** Always in the market: long while the mean of 24 closes is above that of 96, else short. */
const sma = defineStrategy({
  id: "sma",
  params: Type.Object({}),
  init: () => ({ closes: [] as number[], fast: 0, slow: 0, side: 0 }),
  onBar(ctx, { close }) {
    const { memory } = ctx;
    const count = memory.closes.push(close);
    memory.fast += close - (memory.closes[count - 25] ?? 0);
    memory.slow += close - (memory.closes[count - 97] ?? 0);
    if (count < 96) return;
    const side = memory.fast / 24 > memory.slow / 96 ? 1 : -1;
    if (side === memory.side) return;
    memory.side = side;
    ctx.setPosition(side, { slippage: 0.05 });
  },
});

/**
 * Four years of hourly bars of Bitcoin with funding, holding and with the SMA, next to backtesting.py where it is
 * installed.
 */
async function measureReal(): Promise<Figure[]> {
  const bars = `${REAL}BTCUSDT_1h.csv.gz`;
  if (!existsSync(bars)) {
    console.log("skipped: hourly bars of Bitcoin are not in ../shared/data/real");
    return [];
  }
  const out = join(folder, "btc.tape");
  const sources = [
    `BTC:${MAPPINGS}binance_um_1h_2019_2023_bars.yaml=${bars}`,
    `BTC:${MAPPINGS}binance_um_1h_2019_2023_funding.yaml=${REAL}BTCUSDT_funding_8h.csv.gz`,
  ];
  await importFiles({ sources: sources.map((source) => parseSource(source)), out });
  const options = { fromMs: Date.parse(SINCE), deposit: "1000000", leverage: 3 };
  const held = await measure({ name: "BTC 1h 2020 to 2023, holding", counts: "bars", target: ">= 0.8", options }, out);
  const traded = await measure({ name: "BTC 1h 2020 to 2023, SMA 24/96", counts: "bars", strategy: sma, options }, out);
  return [...held, ...traded, ...measurePeer(bars, traded[0]!.value)];
}

/** The trades of Aster in two markets, sparse: in a process of their own, its second run, holding and quoting. */
async function measureAster(): Promise<Figure[]> {
  const trades = (coin: string) => `${RECORDED}aster_20250924/${coin}USDT_trades.csv.gz`;
  if (!existsSync(trades("BTC"))) {
    console.log("skipped: trades of Aster are not in ../shared/data/real");
    return [];
  }
  const out = join(folder, "aster.tape");
  const sources = ["BTC", "ETH"].map((coin) => `${coin}:${MAPPINGS}aster_20250924_trades.yaml=${trades(coin)}`);
  await importFiles({ sources: sources.map((source) => parseSource(source)), out });
  return [
    ...measureSecond("Aster, 107,900 trades, second run, holding", "hold", out, ">= 1.5"),
    ...measureSecond("Aster, 107,900 trades, second run, the example maker", "maker", out, ">= 0.6"),
  ];
}

function measureSecond(name: string, strategy: string, tape: string, target: string): Figure[] {
  const script = fileURLToPath(new URL("lib/secondRun.ts", import.meta.url));
  const runs = Array.from({ length: 9 }, (): SecondRun => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [script, tape, strategy], { encoding: "utf8" });
    if (status !== 0) throw new Error(stderr);
    return JSON.parse(stdout) as SecondRun;
  });
  const [{ events, blocks, fills }] = runs as [SecondRun];
  if (fills === 0) throw new Error(`${name}: nothing traded`);
  const value = events / median(runs.map(({ cpu }) => cpu)) / 1e6;
  return [
    { name, value, unit: "M events/s", target },
    { name: `${name}: blocks made`, value: blocks, unit: "blocks" },
  ];
}

/** @param own millions of bars a second */
function measurePeer(bars: string, own: number): Figure[] {
  const script = fileURLToPath(new URL("peers/smaBacktestingPy.py", import.meta.url));
  const python = process.env.PERPLAB_BENCH_PYTHON ?? "python3";
  const { stdout, status } = spawnSync(python, [script, bars, SINCE], { encoding: "utf8" });
  if (status !== 0 || stdout.startsWith("skipped")) {
    console.log(
      `backtesting.py: ${stdout.trim() || `${python} does not run`}; PERPLAB_BENCH_PYTHON names another Python`,
    );
    return [];
  }
  const [count = 0, seconds = 1] = stdout.split(" ").map(Number);
  const peer = count / seconds / 1e6;
  return [
    { name: "backtesting.py, the same SMA without margin, funding and liquidation", value: peer, unit: "M bars/s" },
    { name: "BTC 1h, SMA 24/96: to backtesting.py", value: own / peer, unit: "x", target: ">= 1.5" },
  ];
}

try {
  const trades = small ? 200_000 : 2_000_000;
  const bars = small ? 20_000 : 200_000;
  const dense = await makeTape("dense", "aggTrades", tradeLines(trades, 200));
  const sparse = await makeTape("sparse", "aggTrades", tradeLines(trades / 4, 5));
  const minutes = await makeTape("minutes", "klines", barLines(bars));
  report("replay", [
    ...(await measure({ name: "trades, 200 a second, blocks of 1 s", target: ">= 5" }, dense)),
    ...(await measure({ name: "trades, 5 a second, blocks of 1 s", target: ">= 1.5" }, sparse)),
    ...(await measure({ name: "bars of a minute", target: ">= 0.8" }, minutes)),
    ...(small ? [] : await measureAster()),
    ...(small ? [] : await measureReal()),
  ]);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
