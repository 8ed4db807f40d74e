import { join } from "node:path";
import { expect, test } from "vitest";
import { readOptions } from "../../../bench/perpbench/plan/options.ts";
import { Results } from "../../../bench/perpbench/plan/results.ts";
import { createBenchReport } from "../../../bench/perpbench/report/report.ts";
import { renderBenchReport } from "../../../bench/perpbench/report/reportText.ts";
import type { BenchJob, BenchResult } from "../../../bench/perpbench/runJob.ts";
import { createFolder } from "../../helpers/project.ts";

const finding = { kind: "invariant", invariant: "netZero", height: 1, observed: "off by one" };
const shown = { reached: 4, triggered: 2, cpuSeconds: 1.5 };
const reached = { reached: 4, triggered: 0, cpuSeconds: 1.5 };
const unreached = { reached: 0, triggered: 0, cpuSeconds: 1.5 };
const options = readOptions(["--bugs", "1,2,41", "--seeds", "2", "--budget", "1000", "--blocks", "500"]);

const search = (bug: number, seed: number, how: object): [BenchJob, object] => [
  { method: "search", bug, seed, budget: 1000, model: true, shrinks: seed === 1 },
  { seed, budget: 1000, transactions: 1000, ...how },
];
const scenarios = (bug: number, how: object): [BenchJob, object] => [
  { method: "scenarios", bug },
  { files: 5, shown: 2, ...how },
];
const explore = (bug: number, depth: number, how: object): [BenchJob, object] => [
  { method: "explore", bug, depth, budget: 500 },
  { depth, budget: 500, transitions: 30, states: 9, worlds: 2, isCut: false, ...how },
];
const around = (bug: number, how: object): [BenchJob, object] => [
  { method: "around", bug, every: 9, budget: bug === 0 ? Number.MAX_SAFE_INTEGER : 500 },
  { every: 9, scenarios: 2, blocks: 70, isCut: false, ...how },
];

function report(given: readonly (readonly [BenchJob, object])[]) {
  const results = new Results(join(createFolder(), "results.jsonl"), { copy: "aa11", commit: "c0ffee" });
  for (const [job, how] of given) {
    const { method } = job;
    results.add(job, { method, ...("bug" in job ? { bug: job.bug } : {}), ...how } as BenchResult);
  }
  return createBenchReport(results, options);
}

const GIVEN = [
  search(1, 1, { ...shown, finding, transactions: 40 }),
  search(1, 2, { ...shown, finding, transactions: 60 }),
  search(2, 1, { ...shown, finding, transactions: 20 }),
  search(2, 2, reached),
  search(41, 1, shown),
  search(41, 2, reached),
  scenarios(0, { ...unreached, files: 680 }),
  scenarios(1, { ...shown, finding, file: "orders/a.yaml", files: 3 }),
  scenarios(2, unreached),
  scenarios(41, { ...unreached, lost: "crash" }),
  explore(0, 1, { ...unreached, transitions: 100 }),
  explore(0, 2, { ...unreached, transitions: 900 }),
  explore(1, 1, { ...shown, finding, world: "worlds/a.yaml", start: "empty", path: [], transitions: 0 }),
  explore(2, 1, reached),
  explore(2, 2, {
    ...shown,
    finding,
    world: "worlds/b.yaml",
    start: "",
    path: ["takes", "withdraws"],
    transitions: 45,
  }),
  explore(41, 1, reached),
  explore(41, 2, { ...reached, transitions: 500, isCut: true }),
  around(0, { ...unreached, scenarios: 77, blocks: 128_000 }),
  around(1, { ...shown, finding, file: "orders/b.yaml", before: "block 2", step: undefined }),
  around(41, { ...shown, finding, file: "orders/c.yaml", before: "the end", step: "alice: buy" }),
];

test("a report has what every way showed of each bug, at what cost, and why the others were missed", () => {
  const { rows } = report(GIVEN);
  const cellsOf = (bug: number) => rows.find((row) => row.bug === bug)!.cells;
  expect(cellsOf(1)).toEqual({
    search: { verdict: "found", by: "netZero", seeds: [2, 2], effort: 40, cpuSeconds: 3 },
    scenarios: { verdict: "found", by: "netZero", where: "orders/a.yaml", effort: 3, cpuSeconds: 1.5 },
    explore: {
      verdict: "found",
      by: "netZero",
      where: "worlds/a.yaml, empty",
      path: [],
      depth: 0,
      effort: 0,
      cpuSeconds: 1.5,
    },
    around: { verdict: "found", by: "netZero", where: "orders/b.yaml", path: [], effort: 70, cpuSeconds: 1.5 },
  });
  expect(cellsOf(2)).toMatchObject({
    search: { verdict: "found", seeds: [1, 2] },
    scenarios: { verdict: "not found", miss: "never reached" },
    explore: {
      verdict: "found",
      where: "worlds/b.yaml",
      path: ["takes", "withdraws"],
      depth: 2,
      effort: 75,
      cpuSeconds: 3,
    },
  });
  expect(cellsOf(2).around).toBeUndefined();
  expect(cellsOf(41)).toMatchObject({
    search: { verdict: "not found", miss: "not seen", seeds: [0, 2] },
    scenarios: { verdict: "lost", miss: "never reached" },
    explore: { verdict: "cut", miss: "not triggered", depth: 2, effort: 530 },
    around: { verdict: "found", path: ["before the end: alice: buy"] },
  });
});

test("a summary counts the first 40 and the new 27 apart, and a search only where every seed found the bug", () => {
  const { groups, ran } = report(GIVEN);
  const [first, later] = groups;
  expect(first!.methods).toEqual({
    search: { tried: 2, found: 1, cut: 0, lost: 0, "not found": 1, only: 0 },
    scenarios: { tried: 2, found: 1, cut: 0, lost: 0, "not found": 1, only: 0 },
    explore: { tried: 2, found: 2, cut: 0, lost: 0, "not found": 0, only: 0 },
    around: { tried: 1, found: 1, cut: 0, lost: 0, "not found": 0, only: 0 },
  });
  // Bug 2 was not tried around scenarios, so it is not known which way alone finds it.
  expect([first!.tried, first!.any]).toEqual([1, 1]);
  expect(later!.methods).toMatchObject({
    search: { found: 0, "not found": 1 },
    scenarios: { lost: 1, "not found": 0 },
    explore: { cut: 1, "not found": 0 },
    around: { found: 1, only: 1 },
  });
  expect(ran.cpuSeconds).toEqual({ search: 9, scenarios: 6, explore: 11, around: 5 });
});

test("a finding without a bug is a false alarm, and so is one of a search before the fault has shown", () => {
  expect(report(GIVEN).withoutBug).toEqual({
    scenarios: 680,
    transitions: 1000,
    scenariosAround: 77,
    blocksAround: 128_000,
    falseAlarms: [],
  });
  const { rows, withoutBug } = report([
    ...GIVEN.filter(([job]) => job.method !== "around"),
    around(0, { ...unreached, finding, file: "orders/a.yaml" }),
    // A check may show the bug by a read, which does not count as a trigger.
    around(2, { ...reached, finding, file: "orders/a.yaml" }),
    search(2, 2, { ...reached, finding }),
  ]);
  expect(withoutBug.falseAlarms).toEqual(["netZero: off by one", "bug 2, before its fault showed: netZero"]);
  expect(rows[1]!.cells.around).toMatchObject({ verdict: "found", by: "netZero" });
  expect(rows[1]!.cells.search).toMatchObject({ seeds: [1, 2] });
});

test("results of other seeds, budgets and depths are not in a report", () => {
  const { rows } = report([
    search(1, 3, { ...shown, finding }),
    [
      { method: "search", bug: 1, seed: 1, budget: 999, model: true, shrinks: true },
      { ...shown, finding, seed: 1, budget: 999 },
    ],
    [
      { method: "search", bug: 1, seed: 1, budget: 1000, model: false, shrinks: true },
      { ...shown, finding, seed: 1, budget: 1000 },
    ],
    explore(1, 3, { ...shown, finding }),
    [
      { method: "around", bug: 1, every: 3, budget: 500 },
      { ...shown, finding },
    ],
  ]);
  expect(rows[0]!.cells).toEqual({});
});

test("the page names the sources, what was run, what each way found, and the sequences", () => {
  const page = renderBenchReport(report(GIVEN));
  expect(page).toContain("All figures are of one copy of the sources: `aa11`, commit `c0ffee`.");
  expect(page).toContain("Made by `npm run perpbench -- --bugs 1,2,41 --seeds 2 --budget 1000 --blocks 500`.");
  expect(page).toContain("| search | 2 seeds a bug, at most 1,000 transactions each, with the model | 0.1 |");
  const partly = renderBenchReport(report(GIVEN.slice(1)));
  expect(partly).toContain("with the model; 5 of 6 trials were run |");
  expect(page).toContain("one of 9, at most 500 blocks a bug, with the model");
  expect(page).toContain("128,000 blocks around scenarios have 0 findings.");
  expect(page).toContain("| explore: worlds | 2 | 0 | 0 | 38 | 0 | 0 | 0 | 1 | 26 | 0 |");
  expect(page).toContain("- first 40: at least one way finds 1 of the 1 bugs that every way was tried with");
  const rowOf = (bug: number) =>
    page.split("\n").find((line) => line.startsWith(`| ${bug} `) && line.includes(" s | "));
  expect(rowOf(1)).toContain(
    "2/2, median 40 transactions, 3.0 s | `orders/a.yaml`: netZero, 1.5 s | depth 0, 0 blocks: netZero",
  );
  expect(rowOf(2)).toContain(
    "1/2, 3.0 s | not found (never reached): 5 files, 1.5 s | depth 2, 75 blocks: netZero, 3.0 s | not run |",
  );
  expect(rowOf(41)).toContain("0/2 (not seen), 3.0 s | lost (never reached)");
  expect(rowOf(41)).toContain("budget ended (not triggered): depth 2, 530 blocks");
  expect(page).toContain("| 2 | worlds/b.yaml | takes, then withdraws |");
  expect(page).toContain("| 41 | orders/c.yaml | before the end: alice: buy |");
});
