/**
 * The start of a process: CPU time of short calls of the command line, and of a thread that imports a backtest. Every
 * test of the command line and every thread of a sweep pays it.
 *
 *     npm run bench -- start             node bench/start.ts [--rounds 11] [--json] [--record]
 *
 * Peers, in turns in the same run: Node with an empty program, and the same call with imports as Node resolves them
 * (without bin/imports.js). Compiled code is cached before the first round, as on every start but the first.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { gunzipSync } from "node:zlib";
import { importFiles } from "../src/product/market-data/importFiles.ts";
import { type Figure, median, report } from "./lib/measure.ts";

const { values } = parseArgs({ options: { rounds: { type: "string", default: "11" } }, strict: false });
const rounds = Number(values.rounds);
const root = join(import.meta.dirname, "..");
const folder = mkdtempSync(join(tmpdir(), "perplab-bench-"));
const cache = join(folder, "compiled");

/** CPU milliseconds of a process. */
function measure(args: readonly string[]): number {
  const ended = spawnSync(process.execPath, ["--require", join(import.meta.dirname, "lib/reportCpu.cjs"), ...args], {
    env: { ...process.env, NODE_COMPILE_CACHE: cache },
    stdio: ["ignore", "ignore", "pipe", "pipe"],
    encoding: "utf8",
  });
  if (ended.status !== 0) throw new Error(`${args.join(" ")}: ${ended.stderr}`);
  return Number(ended.output[3]) / 1_000;
}

/** The command line as it starts, and with imports as Node resolves them. */
function callsOf(...words: readonly string[]): { short: string[]; plain: string[] } {
  const main = pathToFileURL(join(root, "src/cli/main.ts")).href;
  const program = `import(${JSON.stringify(main)}).then(({ main }) => main(${JSON.stringify(words)}))`;
  return { short: [join(root, "bin/perplab.js"), ...words], plain: ["--eval", program] };
}

/** A thread that imports a backtest, in a process that does nothing else. */
function threadOf(execArgv: readonly string[]): string[] {
  const file = pathToFileURL(join(root, "src/product/backtest/index.ts")).href;
  const program = `
    const { Worker } = require("node:worker_threads");
    new Worker(${JSON.stringify(`import(${JSON.stringify(file)})`)}, { eval: true, execArgv: ${JSON.stringify(execArgv)} });`;
  return ["--eval", program];
}

try {
  const bars = gunzipSync(readFileSync(join(root, "data/BTC-PERP-klines-1h-2024.csv.gz"))).toString("utf8");
  const csv = join(folder, "BTC-PERP-klines.csv");
  writeFileSync(csv, `${bars.split("\n", 20).join("\n")}\n`);
  const tape = join(folder, "bars.tape");
  await importFiles({ sources: [{ path: csv }], out: tape });

  const starts: Readonly<Record<string, { readonly short: string[]; readonly plain: string[] }>> = {
    "perplab --version": callsOf("--version"),
    "perplab --help": callsOf("--help"),
    "perplab backtest --help": callsOf("backtest", "--help"),
    "backtest of 19 bars, tape": callsOf("backtest", "trend", "--data", tape),
    "backtest of 19 bars, CSV": callsOf("backtest", "trend", "--data", csv),
    "thread that imports a backtest": {
      short: threadOf(["--require", join(root, "bin/imports.js")]),
      plain: threadOf([]),
    },
  };
  const calls: Readonly<Record<string, string[]>> = {
    node: ["--eval", ""],
    ...Object.fromEntries(
      Object.entries(starts).flatMap(([name, { short, plain }]) => [
        [name, short],
        [`${name}, plain`, plain],
      ]),
    ),
  };
  const times = new Map<string, number[]>(Object.keys(calls).map((name) => [name, []]));
  for (const args of Object.values(calls)) measure(args);
  for (let round = 0; round < rounds; round++) {
    for (const [name, args] of Object.entries(calls)) times.get(name)!.push(measure(args));
  }
  const timeOf = (name: string) => median(times.get(name)!);
  const figures: Figure[] = [{ name: "Node with an empty program", value: timeOf("node"), unit: "ms" }];
  for (const name of Object.keys(starts)) {
    figures.push({ name, value: timeOf(name), unit: "ms" });
    figures.push({
      name: "  to the same with imports as Node resolves them",
      value: timeOf(name) / timeOf(`${name}, plain`),
      unit: "x",
    });
  }
  report("start", figures);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
