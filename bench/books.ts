/**
 * Recorded order books in a backtest, in events a second of CPU time: a strategy that quotes every 100 ms, one that decides once a
 * second, and hftbacktest with the same stream and quotes at the same prices.
 *
 *     npm run bench -- books             node bench/books.ts [--small] [--json] [--record]
 *     PERPLAB_PEERS=FOLDER               has hftbacktest, see bench/peers/environments.ts
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Type } from "typebox";
import { type AnyStrategy, defineStrategy } from "../src/client/strategy/strategy.ts";
import type { BacktestResult } from "../src/product/backtest/backtestResult.ts";
import { runBacktest } from "../src/product/backtest/runBacktest.ts";
import { drawBook } from "./lib/drawnBook.ts";
import { type Figure, median, report, timeTask } from "./lib/measure.ts";
import { explainMissing, findPython, runPeer } from "./peers/environments.ts";

const small = process.argv.includes("--small");
const ROUNDS = small ? 1 : 5;
const WARM_UP = small ? 0 : 3;
const UPDATES = small ? 400 : 150_000;
/** Ticks beyond the best price. */
const AWAY = 2;

/** A bid and an ask of one lot beyond the best prices; they are replaced where those move. */
const quoter = defineStrategy({
  id: "quoter",
  params: Type.Object({}),
  onBlock(ctx) {
    const market = ctx.markets[0]!;
    const { bestBid, bestAsk, lotSize, tickSize } = market;
    if (bestBid === undefined || bestAsk === undefined) return;
    const held = (ctx.account.position()?.size ?? 0) / lotSize;
    const orders = ctx.account.orders();
    for (const side of ["buy", "sell"] as const) {
      const price = market.roundPrice(side === "buy" ? bestBid - AWAY * tickSize : bestAsk + AWAY * tickSize);
      const isWanted = side === "buy" ? held < 10 : held > -10;
      const resting = orders.find((order) => order.side === side);
      if (resting !== undefined && (resting.price !== price || !isWanted)) ctx.cancel(resting.id);
      if (resting?.price !== price && isWanted) ctx.place({ side, size: lotSize, price, postOnly: true });
    }
  },
}) as AnyStrategy;

/** Decides once a second, and takes the other side of the book in one of twenty. */
const decider = defineStrategy({
  id: "decider",
  params: Type.Object({}),
  init: (ctx) => ctx.every("1s", "decide"),
  onTimer(ctx) {
    const { bestBid, bestAsk, lotSize } = ctx.markets[0]!;
    if (bestBid === undefined || bestAsk === undefined || !ctx.rng.chance(1, 20)) return;
    const isLong = (ctx.account.position()?.size ?? 0) > 0;
    const [side, price] = isLong ? (["sell", bestBid] as const) : (["buy", bestAsk] as const);
    ctx.place({ side, size: lotSize, price, timeInForce: "IOC" });
  },
}) as AnyStrategy;

const data = drawBook(UPDATES);
const { events } = data.manifest;

async function run(strategy: AnyStrategy, blocks: "needed" | "all" = "needed"): Promise<[BacktestResult, number]> {
  const options = { data, strategy, blocks, blockMs: 100, latencyMs: 0, deposit: "1000000", leverage: 10 };
  const { result, cpu } = await timeTask(() => runBacktest(options));
  return [result, cpu];
}

/** Events as doubles, for a program that knows no tape: kind (1 trade, 2 level, 3 of a snapshot), side, ms, price, size. */
async function writeStream(path: string): Promise<void> {
  const rows = new Float64Array(events * 5);
  let at = 0;
  for await (const { count, kind, flags, side, timeMs, price, size } of data.chunks()) {
    for (let row = 0; row < count; row++) {
      const code = kind[row] === 4 ? 1 : (flags[row]! & 1) === 1 ? 3 : 2;
      rows.set([code, side[row]!, timeMs[row]!, price[row]! / 1e8, size[row]! / 1e8], at);
      at += 5;
    }
  }
  writeFileSync(path, new Uint8Array(rows.buffer));
}

// The schedule with less work must give the same fills.
const [all] = await run(quoter, "all");
const [needed] = await run(quoter);
const fillsOf = ({ input }: BacktestResult) => JSON.stringify(input.recording.totals, (_, value) => String(value));
if (fillsOf(all) !== fillsOf(needed)) throw new Error("the quoting strategy has other totals with the blocks needed");

const folder = mkdtempSync(join(tmpdir(), "perplab-books-"));
const python = findPython("hftbacktest");
if (python === undefined) console.error(explainMissing("hftbacktest"));
const stream = join(folder, "stream.bin");
if (python !== undefined) await writeStream(stream);
const rates = { quoter: [] as number[], decider: [] as number[], peer: [] as number[] };
for (let round = -WARM_UP; round < ROUNDS; round++) {
  const [, quoting] = await run(quoter);
  const [, deciding] = await run(decider);
  if (round < 0) continue;
  rates.quoter.push(events / quoting / 1e6);
  rates.decider.push(events / deciding / 1e6);
  if (python === undefined) continue;
  const { seconds } = runPeer<{ seconds: number }>(python, "hftbacktest_speed.py", [stream, `${AWAY}`]);
  rates.peer.push(events / seconds / 1e6);
}
rmSync(folder, { recursive: true });

const figures: Figure[] = [
  { name: "a strategy that quotes every 100 ms", value: median(rates.quoter), unit: "M events/s", target: ">= 2" },
  { name: "a strategy that decides once a second", value: median(rates.decider), unit: "M events/s", target: ">= 4" },
  { name: "peak memory of the process", value: process.resourceUsage().maxRSS / 1024, unit: "MB" },
];
if (python !== undefined) {
  figures.push(
    { name: "hftbacktest, quotes every 100 ms", value: median(rates.peer), unit: "M events/s" },
    {
      name: "quotes to those of hftbacktest, by round",
      value: median(rates.quoter.map((rate, round) => rate / rates.peer[round]!)),
      unit: "x",
      target: ">= 0.2",
    },
  );
}
report("books", figures);
