/**
 * A sweep of the example `trend` over four years of hourly bars: BTC of 2020 to 2023 where the real data is there, a
 * drawn path elsewhere. Threads are started in every round, as a call of the command line starts them: compiled code is
 * in the cache, where bin/load.js keeps it.
 *
 *     npm run bench -- sweep            node bench/sweep.ts [--small] [--json] [--record]
 *
 * The ratio is of wall times, one thread to two, in turns. The records of both must be equal.
 */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRunWorker } from "../src/cli/runs/createRunWorker.ts";
import { resolveParams } from "../src/client/strategy/params.ts";
import { Random } from "../src/ground/math/random.ts";
import { importFiles } from "../src/product/market-data/importFiles.ts";
import { readTapeHash } from "../src/product/market-data/tape/tapeHash.ts";
import { hashCode } from "../src/product/research/runs/codeHash.ts";
import type { RunRecord } from "../src/product/research/runs/record.ts";
import { hashStrategy } from "../src/product/research/runs/strategyHash.ts";
import { createThreadEngine } from "../src/product/research/runs/threads/threadEngine.ts";
import trend from "../src/product/strategies/trend.ts";
import { median, report, timeTask } from "./lib/measure.ts";

process.env["NODE_COMPILE_CACHE"] ||= join(tmpdir(), "node-compile-cache");
const small = process.argv.includes("--small");
const folder = mkdtempSync(join(tmpdir(), "perplab-bench-"));
const root = join(import.meta.dirname, "..");
const real = join(root, "../shared/data/real/binance_um_1h_2019_2023");
const HOURS = 30_950;

function drawBars(count: number): string {
  const random = new Random([1, 2, 3, 4]);
  const lines = ["time,open,high,low,close,volume"];
  let price = 20_000;
  for (let hour = 0; hour < count; hour++) {
    const open = price;
    price = Math.max(1_000, price + random.between(-120, 121));
    const [high, low] = [Math.max(open, price) + 20, Math.min(open, price) - 20];
    lines.push([Date.UTC(2020, 0, 1) + hour * 3_600_000, open, high, low, price, random.between(500, 5_000)].join(","));
  }
  return `${lines.join("\n")}\n`;
}

async function makeTape(): Promise<string> {
  const out = join(folder, "btc.tape");
  const mapping = (name: string) => join(root, `data/mappings/binance_um_1h_2019_2023_${name}.yaml`);
  if (!small && existsSync(real)) {
    const sources = [
      { path: join(real, "BTCUSDT_1h.csv.gz"), market: "BTC-PERP", layout: mapping("bars") },
      { path: join(real, "BTCUSDT_funding_8h.csv.gz"), market: "BTC-PERP", layout: mapping("funding") },
    ];
    await importFiles({ sources, out });
  } else {
    const path = join(folder, "bars.csv");
    writeFileSync(path, drawBars(small ? 2_000 : HOURS));
    await importFiles({ sources: [{ path, market: "BTC-PERP" }], out });
  }
  return out;
}

async function main(): Promise<void> {
  const tape = await makeTape();
  const path = join(root, "src/product/strategies/trend.ts");
  const base = { code: hashCode(), data: await readTapeHash(tape) };
  const strategy = hashStrategy(path);
  const places = { strategies: { [strategy]: path }, tapes: { [base.data]: tape } };
  const values = small ? [2, 3] : [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
  const requests = values.flatMap((fast) =>
    values.map((slow) => {
      const params = resolveParams(trend.params, { fast: fast * 6, slow: 24 + slow * 24 });
      const options = { fromMs: Date.UTC(2020, 0, 1), leverage: 2 };
      return { job: { ...base, strategies: [{ strategy, params }], options } };
    }),
  );
  const sweep = (workers: number) =>
    timeTask(async () => {
      const create = () => createRunWorker({ places, code: base.code });
      const engine = createThreadEngine({ workers, create, limitMs: 3_600_000 });
      const records: RunRecord[] = [];
      for await (const { record } of engine.run(requests)) records.push(record);
      await engine.close();
      return JSON.stringify(records);
    });
  const [cpus, ratios]: [number[], number[]] = [[], []];
  for (let round = 0; round < (small ? 1 : 3); round++) {
    const [two, one] = [await sweep(2), await sweep(1)];
    if (one.result !== two.result) throw new Error("one thread and two have different records");
    cpus.push(two.cpu);
    ratios.push(one.wall / two.wall);
  }
  const name = `${requests.length} runs`;
  report("sweep", [
    {
      name: `${name}, CPU of two threads, their start included`,
      value: median(cpus),
      unit: "s",
      ...(small ? {} : { target: "<= 15" }),
    },
    {
      name: `${name}, wall time of one thread to that of two`,
      value: median(ratios),
      unit: "x",
      ...(small ? {} : { target: ">= 1.8" }),
    },
  ]);
}

try {
  await main();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
