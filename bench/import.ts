/**
 * Reading numeric CSV: the byte scanner against csv-parse (and udsv), on the same bytes and with equal results; the
 * import to a tape; the tape read back.
 *
 *     npm run bench -- import            node bench/import.ts [--rows 1000000] [--json] [--record]
 */
import { createReadStream } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { parse } from "csv-parse";
import { inferSchema, initParser } from "udsv";
import { Random } from "../src/ground/math/random.ts";
import { importFiles } from "../src/product/market-data/importFiles.ts";
import { openSource } from "../src/product/market-data/stream/openSource.ts";
import { openTape } from "../src/product/market-data/tape/openTape.ts";
import { median, report, timeTask } from "./lib/measure.ts";

const { values } = parseArgs({ options: { rows: { type: "string", default: "1000000" } }, strict: false });
const rows = Number(values.rows);

/** Trades in the aggTrades layout: prices with one digit, sizes with three, as the exchange publishes them. */
function makeTrades(count: number): string {
  const random = new Random([1, 2, 3, 4]);
  const lines = ["agg_trade_id,price,quantity,first_trade_id,last_trade_id,transact_time,is_buyer_maker"];
  let ticks = 600_000;
  let time = 1_700_000_000_000;
  for (let id = 1; id <= count; id++) {
    ticks += random.below(7) - 3;
    time += random.below(40);
    const size = 1 + random.below(4000);
    const price = `${(ticks - (ticks % 10)) / 10}.${ticks % 10}0`;
    const text = `${(size - (size % 1000)) / 1000}.${String(size % 1000).padStart(3, "0")}`;
    lines.push(`${2_000_000_000 + id},${price},${text},${id * 2},${id * 2 + 1},${time},${random.chance(1, 2)}`);
  }
  return `${lines.join("\n")}\n`;
}

/** Sums by which the readers are held against each other. */
interface Sums {
  rows: number;
  price: number;
  size: number;
  time: number;
  buys: number;
}

async function scan(path: string, dialect?: "csv"): Promise<Sums> {
  const sums: Sums = { rows: 0, price: 0, size: 0, time: 0, buys: 0 };
  const source = await openSource({ path, layout: "aggTrades" }, dialect === undefined ? {} : { dialect });
  for await (const { count, values } of source.rows(() => false)) {
    sums.rows += count;
    const [, price, size, , , time, side] = values;
    for (let row = 0; row < count; row++) {
      sums.price += price![row]! / 1e6;
      sums.size += size![row]! / 1e5;
      sums.time += time![row]! % 1e6;
      if (side![row] === 1) sums.buys++;
    }
  }
  return sums;
}

/** csv-parse as its users write it: rows of strings, numbers by `Number`. */
async function parseCsv(path: string): Promise<Sums> {
  const sums: Sums = { rows: 0, price: 0, size: 0, time: 0, buys: 0 };
  const parser = createReadStream(path, { highWaterMark: 1 << 18 }).pipe(parse({ from: 2 }));
  for await (const item of parser) {
    const row = item as string[];
    sums.rows++;
    sums.price += Math.round(Number(row[1]) * 100);
    sums.size += Math.round(Number(row[2]) * 1000);
    sums.time += Number(row[5]) % 1e6;
    if (row[6] === "false") sums.buys++;
  }
  return sums;
}

/** uDSV, typed, in chunks. */
async function parseUdsv(path: string): Promise<Sums> {
  const sums: Sums = { rows: 0, price: 0, size: 0, time: 0, buys: 0 };
  let parser: ReturnType<typeof initParser> | undefined;
  const take = (item: unknown): void => {
    const row = item as [number, number, number, number, number, number, boolean];
    sums.rows++;
    sums.price += Math.round(row[1] * 100);
    sums.size += Math.round(row[2] * 1000);
    sums.time += row[5] % 1e6;
    if (!row[6]) sums.buys++;
  };
  const stream = createReadStream(path, { encoding: "utf8", highWaterMark: 1 << 18 });
  for await (const text of stream as AsyncIterable<string>) {
    parser ??= initParser(inferSchema(text));
    parser.chunk(text, parser.typedArrs as never, take as never);
  }
  parser?.end();
  return sums;
}

/** CPU seconds and wall seconds of a task; the median of three by CPU time. */
async function time<T>(task: () => Promise<T>): Promise<{ cpu: number; wall: number; result: T }> {
  const runs = [await timeTask(task), await timeTask(task), await timeTask(task)];
  return runs.sort((a, b) => a.cpu - b.cpu)[1]!;
}

const folder = await mkdtemp(join(tmpdir(), "perplab-bench-"));
try {
  const path = join(folder, "BTC-PERP-aggTrades.csv");
  const text = makeTrades(rows);
  await writeFile(path, text);
  const scanner = await time(() => scan(path));
  const csvParse = await time(() => parseCsv(path));
  const udsv = await time(() => parseUdsv(path));
  for (const peer of [csvParse, udsv]) {
    if (JSON.stringify(peer.result) !== JSON.stringify(scanner.result)) {
      throw new Error(`readers disagree: ${JSON.stringify(scanner.result)}, ${JSON.stringify(peer.result)}`);
    }
  }
  const out = join(folder, "trades.tape");
  const imported = await time(() => importFiles({ sources: [{ path }], out }));
  const replay = await time(async () => {
    const tape = await openTape(out);
    let events = 0;
    let sum = 0;
    for await (const { count, price, size, side } of tape.chunks()) {
      events += count;
      for (let row = 0; row < count; row++) sum += price[row]! * side[row]! + size[row]!;
    }
    await tape.close();
    return { events, sum };
  });
  // It is short: the median of eleven.
  const reads: number[] = [];
  for (let round = 0; round < 11; round++) {
    const { cpu } = await timeTask(async () => {
      const tape = await openTape(out);
      for await (const _ of tape.chunks());
      await tape.close();
    });
    reads.push(cpu);
  }
  const rate = (seconds: number): number => rows / seconds / 1e6;
  report("import", [
    { name: "byte scanner", value: rate(scanner.cpu), unit: "M rows/s" },
    { name: "csv-parse", value: rate(csvParse.cpu), unit: "M rows/s" },
    { name: "uDSV", value: rate(udsv.cpu), unit: "M rows/s" },
    { name: "byte scanner to csv-parse", value: csvParse.cpu / scanner.cpu, unit: "x" },
    { name: "byte scanner to uDSV", value: udsv.cpu / scanner.cpu, unit: "x" },
    { name: "import of a file to a tape", value: rate(imported.cpu), unit: "M rows/s", target: ">= 4.5" },
    { name: "import of a file to a tape, wall", value: rate(imported.wall), unit: "M rows/s" },
    { name: "tape read back", value: rate(replay.cpu), unit: "M rows/s" },
    { name: "tape read back, its reader alone", value: (median(reads) / rows) * 1e9, unit: "ns" },
  ]);
} finally {
  await rm(folder, { recursive: true, force: true });
}
