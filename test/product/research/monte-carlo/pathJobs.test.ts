import { expect, test } from "vitest";
import type { Batch, JobEngine } from "../../../../src/product/jobs/engine.ts";
import { createLocalJobs } from "../../../../src/product/jobs/localJobs.ts";
import { createReport } from "../../../../src/product/report/createReport.ts";
import { createMonteCarlo, planMonteCarlo } from "../../../../src/product/research/monte-carlo/createMonteCarlo.ts";
import { resampleReturns, shuffleTrips } from "../../../../src/product/research/monte-carlo/equityPaths.ts";
import { pathKind, type Sample, simulateSamples } from "../../../../src/product/research/monte-carlo/pathJobs.ts";
import { seedRandom } from "../../../../src/product/research/statistics/seed.ts";
import { createSampleInput } from "../../report/sample.ts";

const local = () => createLocalJobs({ paths: async () => pathKind });
const returns = Array.from({ length: 40 }, (_, i) => ((i % 7) - 3) / 100);
const results = Array.from({ length: 25 }, (_, i) => ((i % 5) - 2) / 50);
const samples: readonly Sample[] = [
  { method: "blocks", returns, meanBlock: 4 },
  { method: "trips", results },
];

/** Makes the jobs of a batch backwards, each in an engine of its own, and over JSON as a queue does. */
const backwards: JobEngine = {
  async run({ kind, shared, parts }: Batch) {
    const texts: string[] = [];
    for (const part of JSON.parse(JSON.stringify(parts)).reverse()) {
      texts.unshift((await local().run({ kind, shared, parts: [part] }))[0]!);
    }
    return texts;
  },
  close: async () => undefined,
};

test("paths do not depend on where, or in which order, their chunks are drawn", async () => {
  const settings = { samples, seed: "a", ruinAt: 0.8, paths: 2_345 };
  expect(await simulateSamples(backwards, settings)).toEqual(await simulateSamples(local(), settings));
});

// The twin draws all paths of a method in one loop, with the stream of the chunk that each belongs to.
test("every path is the next one of its chunk's own stream", async () => {
  const [blocks, trips] = await simulateSamples(local(), { samples, seed: "a", ruinAt: 0.8, paths: 2_100 });
  const draw = (open: (chunk: number) => { steps: number; draw(equity: Float64Array): void }) => {
    const finals: number[] = [];
    for (let path = 0, source = open(0); path < 2_100; path++) {
      if (path % 1_000 === 0) source = open(path / 1_000);
      const equity = new Float64Array(source.steps);
      source.draw(equity);
      finals.push(equity.at(-1)!);
    }
    return finals.sort((a, b) => a - b);
  };
  const random = (method: string, chunk: number) => seedRandom("a", `monteCarlo/${method}/${chunk}`);
  expect([...blocks!.finals]).toEqual(draw((chunk) => resampleReturns(returns, 4, random("blocks", chunk))));
  expect([...trips!.finals]).toEqual(draw((chunk) => shuffleTrips(results, random("trips", chunk))));
});

test("no two chunks, methods or seeds have the same paths", async () => {
  const [one] = await simulateSamples(local(), { samples, seed: "a", ruinAt: 0.8, paths: 1_000 });
  const [two] = await simulateSamples(local(), { samples, seed: "a", ruinAt: 0.8, paths: 2_000 });
  const [other] = await simulateSamples(local(), { samples, seed: "b", ruinAt: 0.8, paths: 1_000 });
  const first = new Set(one!.finals);
  // The first chunk is the same, and the second is another.
  expect([...first].every((value) => two!.finals.includes(value))).toBe(true);
  expect([...two!.finals].filter((value) => !first.has(value)).length).toBeGreaterThan(500);
  expect([...other!.finals]).not.toEqual([...one!.finals]);
});

test("results without an end cross JSON as they are", async () => {
  const wild: Sample = { method: "blocks", returns: Array.from({ length: 400 }, () => 1e300), meanBlock: 1 };
  const [found] = await simulateSamples(local(), { samples: [wild], seed: "a", ruinAt: 0.8, paths: 3 });
  expect([...found!.finals]).toEqual([Infinity, Infinity, Infinity]);
});

test("a report of a simulation counts its paths while they are drawn, and has the same numbers each time", async () => {
  const report = createReport(createSampleInput());
  const options = { paths: 1_500, seed: "1", ruinAt: 0.5 };
  const done: number[] = [];
  const made = await createMonteCarlo(report, options, local(), (paths) => done.push(paths));
  const { plans, skipped, steps } = planMonteCarlo(report, options);
  expect(made.methods.map(({ method }) => method)).toEqual(plans.map(({ sample }) => sample.method));
  expect(made.skipped).toEqual(skipped);
  expect(steps).toBe(1_500 * made.methods.reduce((sum, method) => sum + method.steps, 0));
  expect(done.at(-1)).toBe(1_500 * plans.length);
  expect(await createMonteCarlo(report, options, backwards)).toEqual(made);
});
