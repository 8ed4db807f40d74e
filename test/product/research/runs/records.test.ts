import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openTape } from "../../../../src/product/market-data/tape/openTape.ts";
import type { MetricId } from "../../../../src/product/report/metrics/definitions.ts";
import type { BacktestReport } from "../../../../src/product/report/model.ts";
import { hashJob, toCanonicalJson } from "../../../../src/product/research/runs/job.ts";
import { keepChunks } from "../../../../src/product/research/runs/sources.ts";
import { hashStrategy } from "../../../../src/product/research/runs/strategyHash.ts";
import { createFolder } from "../../../helpers/project.ts";
import { createBench, makeAll } from "./helpers.ts";

test("the daily returns of a record make the total return, and the Sharpe ratio of its metrics", async () => {
  const bench = await createBench(24 * 40 + 5);
  const [{ record }] = (await makeAll(bench.local(), [
    bench.job({ every: 7 }, { fromMs: Date.UTC(2024, 0, 1, 9) }),
  ])) as [Awaited<ReturnType<typeof makeAll>>[number]];
  const { fromMs, returns, before, after } = record.daily!;
  expect(fromMs).toBe(Date.UTC(2024, 0, 2));
  expect(returns.every(Number.isInteger)).toBe(true);
  const total = [before, ...returns, after].reduce((product, one) => product * (1 + one / 1e8), 1) - 1;
  expect(total).toBeCloseTo(Number(record.metrics.totalReturn), 6);
  const values = returns.map((one) => one / 1e8);
  const mean = values.reduce((a, b) => a + b) / values.length;
  const deviation = Math.sqrt(values.reduce((sum, one) => sum + (one - mean) ** 2, 0) / (values.length - 1));
  expect((mean / deviation) * Math.sqrt(365)).toBeCloseTo(Number(record.metrics.sharpe), 3);
});

test("a record has the metrics of the report of its run, and their reasons", async () => {
  const bench = await createBench(24 * 12);
  const engine = bench.local();
  for (const mode of ["", "idle"]) {
    const request = { job: bench.job({ every: 7, mode }), report: { format: "json", command: "none" } } as const;
    for await (const { record, report } of engine.run([request])) {
      const { metrics } = (JSON.parse(report!) as BacktestReport).summary;
      expect(Object.keys(record.metrics)).toHaveLength(metrics.length);
      for (const { id, value, reason } of metrics) {
        expect(record.metrics[id as MetricId]).toEqual(value);
        expect(record.reasons[id as MetricId]).toEqual(reason);
      }
      expect(record.metrics.fills).toBe(mode === "idle" ? 0 : 41);
    }
  }
  await engine.close();
});

test("chunks that are kept in memory are those of the tape, in any range", async () => {
  const bench = await createBench(500);
  const tape = await openTape(bench.tapePath);
  const kept = keepChunks(tape);
  const times = async (source: typeof tape, range: { fromMs?: number; toMs?: number }) => {
    const all: number[] = [];
    for await (const { timeMs, count } of source.chunks(range)) all.push(...timeMs.subarray(0, count));
    return all;
  };
  const { fromMs, toMs } = tape.manifest;
  for (const range of [
    {},
    { fromMs: fromMs + 1 },
    { toMs },
    { fromMs: fromMs + 7_200_000, toMs: toMs - 3_600_000 },
    { fromMs: toMs + 1 },
  ]) {
    expect(await times(kept, range)).toEqual(await times(tape, range));
  }
  expect(keepChunks(tape, 10)).toBe(tape);
  await tape.close();
});

describe("the hash of a job", () => {
  test("is of contents: the order of members and what equals a default do not count, everything else does", async () => {
    const { job } = await createBench(30);
    const base = hashJob(job({}, { leverage: 2, seed: "1" }));
    expect(hashJob(job({}, { seed: "1", leverage: 2, deposit: "10000" }))).toBe(base);
    const { strategies, ...rest } = job({}, { leverage: 2 });
    const [one] = strategies;
    expect(hashJob({ ...rest, strategies: [{ ...one!, params: { marker: "", mode: "", every: 5 } }] })).toBe(base);
    const others = [
      job({ every: 6 }, { leverage: 2 }),
      job({}, { leverage: 3 }),
      job({}, { leverage: 2, seed: "2" }),
      job({}, { leverage: 2, toMs: 5 }),
      job({}, { leverage: 2, parameters: { makerFee: "0" } }),
      // Some data refuses these, also with their defaults.
      job({}, { leverage: 2, queue: "behind" }),
      job({}, { leverage: 2, barMs: 60_000 }),
      { ...job({}, { leverage: 2 }), code: "other" },
      { ...job({}, { leverage: 2 }), data: "other" },
      { ...rest, strategies: [{ ...one!, strategy: "other" }] },
    ].map(hashJob);
    expect(new Set([base, ...others]).size).toBe(others.length + 1);
  });

  test("does not depend on the order of strategies, nor on whether an account or the run has a setting", async () => {
    const { job } = await createBench(30);
    const { strategies, ...rest } = job();
    const [one] = strategies;
    const [calm, bold] = [
      { ...one!, name: "calm" },
      { ...one!, name: "bold", leverage: 3, seed: "7" },
    ] as const;
    const base = hashJob({ ...rest, strategies: [calm, bold] });
    expect(hashJob({ ...rest, strategies: [bold, { ...calm, deposit: "10000", leverage: 1 }] })).toBe(base);
    const { leverage: _leverage, ...borrowing } = bold;
    const moved = { ...rest, strategies: [{ ...calm, leverage: 1 }, borrowing], options: { leverage: 3 } };
    expect(hashJob(moved)).toBe(base);
    const others = [
      { ...rest, strategies: [calm] },
      { ...rest, strategies: [calm, { ...bold, name: "brave" }] },
      { ...rest, strategies: [calm, { ...bold, leverage: 4 }] },
      {
        ...rest,
        strategies: [
          { ...calm, leverage: 3, seed: "7" },
          { ...one!, name: "bold" },
        ],
      },
      { ...rest, strategies: [calm, bold], options: { leverage: 3 } },
    ].map(hashJob);
    expect(new Set([base, ...others]).size).toBe(others.length + 1);
  });

  test("does not depend on whether an account or the run has a setting of the connection", async () => {
    const { job } = await createBench(30);
    const { strategies, ...rest } = job();
    const [one] = strategies;
    const links = [
      { latencyMs: "uniform(1,9)" },
      { feedLatencyMs: 5 },
      { receiptLatencyMs: 20 },
      { rateLimit: "10/1s" },
      { outages: [{ fromMs: 1, toMs: 2 }] },
    ];
    const ofAccount = links.map((link) => hashJob({ ...rest, strategies: [{ ...one!, ...link }] }));
    const ofRun = links.map((link) => hashJob({ ...rest, strategies, options: { ...rest.options, ...link } }));
    expect(ofRun).toEqual(ofAccount);
    expect(new Set([hashJob(job()), ...ofAccount]).size).toBe(links.length + 1);
  });

  test("is over JSON with sorted members", () => {
    expect(toCanonicalJson({ b: [1, { d: null, c: "x" }], a: undefined })).toBe('{"b":[1,{"c":"x","d":null}]}');
  });
});

describe("the hash of a strategy", () => {
  test("changes with every file of the user's that it imports, and with versions of packages", () => {
    const folder = createFolder({
      "mine.js":
        'import { a } from "./lib/a.js";\nimport "perplab/strategy";\nimport x from "thing";\nexport default a;',
      "lib/a.js": 'export * from "../b.js";\nconst late = () => import("../c.js");',
      "b.js": "export const a = 1;",
      "c.js": 'import "./mine.js";',
      "unused.js": "",
    });
    const path = join(folder, "mine.js");
    const seen = [hashStrategy(path)];
    for (const name of ["mine.js", "lib/a.js", "b.js", "c.js"]) {
      appendFileSync(join(folder, name), "\n");
      seen.push(hashStrategy(path));
    }
    mkdirSync(join(folder, "node_modules/thing"), { recursive: true });
    for (const version of ["1.0.0", "1.0.1"]) {
      writeFileSync(join(folder, "node_modules/thing/package.json"), JSON.stringify({ version }));
      seen.push(hashStrategy(path));
    }
    expect(new Set(seen).size).toBe(7);
    appendFileSync(join(folder, "unused.js"), "\n");
    expect(hashStrategy(path)).toBe(seen.at(-1));
  });

  test("does not change with its place", () => {
    const files = { "mine.js": 'import "./other.js";', "other.js": "1;" };
    const [one, two] = [createFolder(files), createFolder(files)];
    expect(hashStrategy(join(one!, "mine.js"))).toBe(hashStrategy(join(two!, "mine.js")));
  });
});
