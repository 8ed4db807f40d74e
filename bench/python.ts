/**
 * Strategies in Python: bars a second of both processes' CPU time, start included, with the bars sent ahead and without
 * an action at most of them; and where a strategy acts or reads at every bar. Next to backtesting.py where a Python has
 * it.
 *
 *     npm run bench -- python            PERPLAB_BENCH_PYTHON=venv/bin/python node bench/python.ts [--small] [--json] [--record]
 *
 * The Python needs the package: `venv/bin/pip install ./python backtesting`.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Random } from "../src/ground/math/random.ts";
import { type Figure, report } from "./lib/measure.ts";

const bars = process.argv.includes("--small") ? 3_000 : 300_000;
const python = process.env["PERPLAB_BENCH_PYTHON"] ?? "python3";
const script = fileURLToPath(new URL("peers/pythonStrategies.py", import.meta.url));
const PERPLAB = fileURLToPath(new URL("../bin/perplab.js", import.meta.url));
const TARGETS = [">= 30", undefined, ">= 6"];

interface Measured {
  readonly figures: Readonly<Record<string, { bars: number; seconds: number; fills: number }>>;
  readonly "backtesting.py": number | null;
}

function renderBars(): string {
  const random = new Random([1, 2, 3, 4]);
  let price = 400_000;
  const text = (tenths: number) => (tenths / 10).toFixed(1);
  const lines = ["open_time_ms,open,high,low,close,volume"];
  for (let bar = 0; bar < bars; bar++) {
    const points = [price, ...[1, 2, 3].map(() => (price = Math.max(10_000, price + random.between(-240, 240))))];
    const extremes = `${text(Math.max(...points))},${text(Math.min(...points))}`;
    const time = Date.UTC(2024, 0, 1) + bar * 60_000;
    lines.push(`${time},${text(points[0]!)},${extremes},${text(price)},${random.between(50, 900)}.513`);
  }
  return `${lines.join("\n")}\n`;
}

function measure(folder: string): Figure[] {
  const data = join(folder, "bars.csv");
  writeFileSync(data, renderBars());
  const env = { ...process.env, PERPLAB };
  const { stdout, stderr, status } = spawnSync(python, [script, data, `${bars}`], { encoding: "utf8", env });
  if (status === null || stdout.startsWith("skipped")) {
    console.log(`${stdout?.trim() || `${python} does not run`}; PERPLAB_BENCH_PYTHON names another Python`);
    return [];
  }
  if (status !== 0) throw new Error(stderr);
  const measured = JSON.parse(stdout) as Measured;
  const figures = Object.entries(measured.figures).map(([name, { bars: count, seconds, fills }], place): Figure => {
    if (fills === 0) throw new Error(`${name}: nothing traded`);
    const target = TARGETS[place];
    return { name, value: count / seconds / 1e3, unit: "k bars/s", ...(target === undefined ? {} : { target }) };
  });
  const peer = measured["backtesting.py"];
  if (peer === null) return figures;
  return [
    ...figures,
    { name: "backtesting.py, the same means, without its start", value: peer / 1e3, unit: "k bars/s" },
  ];
}

const folder = mkdtempSync(join(tmpdir(), "perplab-bench-"));
try {
  report("python", measure(folder));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
