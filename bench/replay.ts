/**
 * Replay from a tape, with a strategy that does next to nothing (it buys once and holds, so that margin and funding are
 * at work in every block), margin, funding, events, effects chain and report on.
 *
 *     npm run bench -- replay            node bench/replay.ts [--small] [--json] [--record]
 *
 * Ratios are to the same tape read without a venue, in the same run: what the venue costs on top of its data.
 */

import { once } from "node:events";
import { createWriteStream, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Type } from "typebox";
import { defineStrategy } from "../src/client/strategy/strategy.ts";
import { Random } from "../src/ground/math/random.ts";
import { runBacktest } from "../src/product/backtest/runBacktest.ts";
import { importFiles } from "../src/product/market-data/importFiles.ts";
import { openTape } from "../src/product/market-data/tape/openTape.ts";
import { type Figure, median, report, timeTask } from "./lib/measure.ts";

const small = process.argv.includes("--small");
const folder = mkdtempSync(join(tmpdir(), "perplab-bench-"));

const hold = defineStrategy({
  id: "hold",
  params: Type.Object({}),
  init(ctx) {
    const { mark } = ctx.market;
    if (mark !== undefined) ctx.place({ side: "buy", size: ctx.market.roundSize(1_000 / mark) });
  },
});

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
  readonly target?: string;
}

/** Millions of events a second, blocks a second, and how many times longer than reading the tape it takes. */
async function measure({ name, target }: Replay, tape: string, blockMs = 1_000): Promise<Figure[]> {
  const reading: number[] = [];
  const replays: number[] = [];
  let events = 0;
  let blocks = 0;
  for (let round = 0; round < (small ? 1 : 3); round++) {
    const data = await openTape(tape);
    const read = await timeTask(async () => {
      let rows = 0;
      for await (const chunk of data.chunks()) rows += chunk.count;
      return rows;
    });
    const replay = await timeTask(() => runBacktest({ strategy: hold, data, blockMs }));
    await data.close();
    ({ events, blocks } = replay.result);
    if (read.result !== events) throw new Error(`${read.result} rows read, ${events} replayed`);
    reading.push(read.cpu);
    replays.push(replay.cpu);
  }
  const seconds = median(replays);
  return [
    { name, value: events / seconds / 1e6, unit: "M events/s", ...(target === undefined ? {} : { target }) },
    { name: `${name}: blocks`, value: blocks / seconds / 1e6, unit: "M blocks/s" },
    { name: `${name}: time to that of reading the tape`, value: seconds / median(reading), unit: "x" },
  ];
}

try {
  const trades = small ? 200_000 : 2_000_000;
  const bars = small ? 20_000 : 200_000;
  const dense = await makeTape("dense", "aggTrades", tradeLines(trades, 200));
  const sparse = await makeTape("sparse", "aggTrades", tradeLines(trades / 4, 5));
  const minutes = await makeTape("minutes", "klines", barLines(bars));
  report("replay", [
    ...(await measure({ name: "trades, 200 a second, blocks of 1 s", target: ">= 3" }, dense)),
    ...(await measure({ name: "trades, 5 a second, blocks of 1 s" }, sparse)),
    ...(await measure({ name: "bars, four points and blocks each", target: ">= 1" }, minutes)),
  ]);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
