import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readOptions } from "../../../bench/perpbench/plan/options.ts";
import { keyOf, Results } from "../../../bench/perpbench/plan/results.ts";
import { type Known, planStages } from "../../../bench/perpbench/plan/stages.ts";
import type { BenchJob, BenchResult } from "../../../bench/perpbench/runJob.ts";
import { createFolder } from "../../helpers/project.ts";

const tree = { copy: "aa", commit: "c0ffee" };
const finding = { kind: "invariant", invariant: "conservation", height: 1, observed: "" };
const spent = { reached: 1, triggered: 1, cpuSeconds: 1 };

function openResults(path = join(createFolder(), "results.jsonl")): Results {
  return new Results(path, tree);
}

/** Runs all stages with given results, and returns the jobs in their order. */
function play(args: readonly string[], resultOf: (job: BenchJob) => object): BenchJob[] {
  const results = openResults();
  return planStages(readOptions(args)).flatMap((stage) => {
    const jobs = stage(results as Known);
    for (const job of jobs) results.add(job, { ...job, ...spent, ...resultOf(job) } as unknown as BenchResult);
    return [...jobs];
  });
}

describe("the stages of the benchmark", () => {
  test("have the first seed of every bug before the explorations, and the other seeds last", () => {
    const jobs = play(["--bugs", "3,41", "--seeds", "2", "--depth", "1"], () => ({}));
    expect(jobs.map(keyOf)).toEqual([
      "minimal",
      "search 3 seed 1 budget 100000 model shrunk",
      "search 41 seed 1 budget 100000 model shrunk",
      "scenarios 0",
      "scenarios 3",
      "scenarios 41",
      "explore 0 depth 1 blocks 100000",
      "explore 3 depth 1 blocks 100000",
      "explore 41 depth 1 blocks 100000",
      `around 0 every 9 blocks ${Number.MAX_SAFE_INTEGER}`,
      "around 3 every 9 blocks 100000",
      "around 41 every 9 blocks 100000",
      "search 3 seed 2 budget 100000 model",
      "search 41 seed 2 budget 100000 model",
    ]);
  });

  test("explore a bug deeper only if it was not found, and if the budget was not spent", () => {
    const jobs = play(["--methods", "explore", "--bugs", "1,2,3", "--depth", "3"], (job) => {
      if (job.method !== "explore" || job.bug === 0) return {};
      if (job.bug === 1 && job.depth === 2) return { finding };
      return { isCut: job.bug === 2 && job.depth === 1 };
    });
    const depths = (bug: number) =>
      jobs.flatMap((job) => (job.method === "explore" && job.bug === bug ? [job.depth] : []));
    expect([depths(0), depths(1), depths(2), depths(3)]).toEqual([[1, 2, 3], [1, 2], [1], [1, 2, 3]]);
  });

  test("run the scenarios that reach the lines of a bug, of those that pass without it", () => {
    const visits = { "orders/a.yaml": [1], "orders/b.yaml": [1, 2] };
    const jobs = play(["--methods", "scenarios", "--bugs", "1,2,3"], (job) =>
      "bug" in job && job.bug === 0 ? { finding, file: "orders/broken.yaml", visits } : {},
    );
    const files = jobs.flatMap((job) => (job.method === "scenarios" && job.bug > 0 ? [job.files] : []));
    expect(files).toEqual([["orders/a.yaml", "orders/b.yaml"], ["orders/b.yaml"], []]);
  });

  test("leave out files that never reach the lines of a bug, as the run without a bug shows", () => {
    const visits = { "worlds/a.yaml": [1, 2], "worlds/b.yaml": [2] };
    const jobs = play(["--methods", "explore,around", "--bugs", "1,2,3", "--depth", "1"], (job) =>
      "bug" in job && job.bug === 0 ? { visits, isCut: false } : {},
    );
    const files = jobs.flatMap((job) => ("worlds" in job ? [job.worlds] : "scenarios" in job ? [job.scenarios] : []));
    const [a, b] = ["worlds/a.yaml", "worlds/b.yaml"];
    expect(files).toEqual([[a], [a, b], [], [a], [a, b], []]);
  });

  // Files after the end of an exploration were not seen to leave out any line.
  test.each([{ isCut: true }, { finding }, { visits: undefined }])(
    "leave out nothing if the run without a bug has not ended: %j",
    (how) => {
      const jobs = play(["--methods", "explore,around", "--bugs", "1", "--depth", "1"], (job) =>
        "bug" in job && job.bug === 0 ? { visits: { "worlds/a.yaml": [2] }, isCut: false, ...how } : {},
      );
      expect(jobs.filter((job) => "worlds" in job || "scenarios" in job)).toEqual([]);
    },
  );

  test("search without a bug as often as asked, also from more seeds than bugs are", () => {
    const jobs = play(["--methods", "search", "--bugs", "1", "--seeds", "1", "--clean", "2"], () => ({}));
    expect(jobs.slice(1).map(keyOf)).toEqual([
      "search 1 seed 1 budget 100000 model shrunk",
      "search 0 seed 1 budget 100000 model",
      "search 0 seed 2 budget 100000 model",
    ]);
  });
});

describe("stored results", () => {
  const job: BenchJob = { method: "scenarios", bug: 7 };
  const result: BenchResult = { method: "scenarios", bug: 7, files: 3, shown: 3, ...spent };

  test("are there after a stop, a line that was cut off is not, and those of another copy are not taken", () => {
    const path = join(createFolder(), "results.jsonl");
    new Results(path, tree).add(job, result);
    new Results(path, { copy: "bb", commit: "dec0de" }).add({ ...job, bug: 8 }, { ...result, bug: 8 });
    writeFileSync(path, '{"copy":"aa","commit":"c0ffee","key":"scena', { flag: "a" });
    const again = new Results(path, { copy: "aa", commit: "later" });
    expect(again.get({ method: "scenarios", bug: 7 })).toEqual(result);
    expect(again.has({ method: "scenarios", bug: 8 })).toBe(false);
    // The same copy: a later commit changed nothing in it.
    expect(again.tree).toEqual(tree);
  });

  test("have a name for everything that decides them", () => {
    const search: BenchJob = { method: "search", bug: 1, seed: 1, budget: 10, model: true, shrinks: false };
    const explore: BenchJob = { method: "explore", bug: 1, depth: 1, budget: 10 };
    const around: BenchJob = { method: "around", bug: 1, every: 9, budget: 10 };
    const others: BenchJob[] = [
      ...[
        { bug: 2 },
        { seed: 2 },
        { budget: 11 },
        { model: false },
        { shrinks: true },
        { guidance: "none" } as const,
      ].map((more) => ({
        ...search,
        ...more,
      })),
      ...[{ bug: 2 }, { depth: 2 }, { budget: 11 }].map((more) => ({ ...explore, ...more })),
      ...[{ bug: 2 }, { every: 8 }, { budget: 11 }].map((more) => ({ ...around, ...more })),
      { method: "scenarios", bug: 1 },
      { method: "minimal" },
    ];
    const names = [search, explore, around, ...others].map(keyOf);
    expect(new Set(names).size).toBe(names.length);
  });
});
