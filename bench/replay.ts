/**
 * Replay from a tape, with a strategy that does next to nothing (it buys once and holds, so that margin and funding are
 * at work in every block), margin, funding, events, effects chain and report on.
 *
 *     node bench/replay.ts [--json] [--small]
 *
 * Ratios are to the same tape read without a venue, in the same run: what the venue costs on top of its data.
 */

import { once } from "node:events";
import { createWriteStream, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Type } from "typebox";
import { runBacktest } from "../src/backtest/runBacktest.ts";
import { importFiles } from "../src/market-data/importFiles.ts";
import { openTape } from "../src/market-data/tape/openTape.ts";
import { Random } from "../src/math/random.ts";
import { defineStrategy } from "../src/strategy/strategy.ts";

const json = process.argv.includes("--json");
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

interface Figure {
  readonly name: string;
  readonly events: number;
  readonly perSecond: number;
  readonly blocks: number;
  readonly blocksPerSecond: number;
  readonly ratioToReading: number;
}

async function measure(name: string, tape: string, blockMs = 1_000): Promise<Figure> {
  const best = { ms: Number.POSITIVE_INFINITY, events: 0, blocks: 0 };
  let readingMs = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 3; round++) {
    const data = await openTape(tape);
    const readFrom = performance.now();
    let rows = 0;
    for await (const chunk of data.chunks()) rows += chunk.count;
    readingMs = Math.min(readingMs, performance.now() - readFrom);
    const from = performance.now();
    const { events, blocks } = await runBacktest({ strategy: hold, data, blockMs });
    const ms = performance.now() - from;
    await data.close();
    if (rows !== events) throw new Error(`${rows} rows read, ${events} replayed`);
    if (ms < best.ms) Object.assign(best, { ms, events, blocks });
  }
  return {
    name,
    events: best.events,
    perSecond: Math.round((best.events / best.ms) * 1_000),
    blocks: best.blocks,
    blocksPerSecond: Math.round((best.blocks / best.ms) * 1_000),
    ratioToReading: Math.round((best.ms / readingMs) * 100) / 100,
  };
}

try {
  const trades = small ? 200_000 : 2_000_000;
  const bars = small ? 20_000 : 200_000;
  const dense = await makeTape("dense", "aggTrades", tradeLines(trades, 200));
  const sparse = await makeTape("sparse", "aggTrades", tradeLines(trades / 4, 5));
  const minutes = await makeTape("minutes", "klines", barLines(bars));
  const figures = [
    await measure("trades, 200 a second, blocks of 1 s", dense),
    await measure("trades, 5 a second, blocks of 1 s", sparse),
    await measure("bars, four points and blocks each", minutes),
  ];
  if (json) console.log(JSON.stringify({ bench: "replay", figures }));
  else {
    for (const { name, events, perSecond, blocks, blocksPerSecond, ratioToReading } of figures) {
      const count = (value: number) => value.toLocaleString("en-US");
      console.log(
        `${name}: ${count(perSecond)} events/s (${count(events)}), ${count(blocksPerSecond)} blocks/s (${count(blocks)}), ` +
          `${ratioToReading}x the time of reading the tape`,
      );
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
