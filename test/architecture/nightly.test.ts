import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Night, readNights, type StepResult } from "../../scripts/nightly/night.ts";
import { renderNights } from "../../scripts/nightly/page.ts";
import { findRegressions } from "../../scripts/nightly/regressions.ts";
import { NIGHTLY_STEPS, sized, withoutQueue } from "../../scripts/nightly/steps.ts";
import { createFolder } from "../helpers/project.ts";

const step = (over: Partial<StepResult> = {}): StepResult => ({
  id: "search",
  verdict: "passed",
  seconds: 600,
  figures: { "transactions a second": 10_000, digest: "aa" },
  notes: [],
  ...over,
});
const night = (steps: StepResult[], over: Partial<Night> = {}): Night => ({
  date: "2026-11-26",
  commit: "c0ffee00",
  node: "24.21.0",
  cores: 2,
  size: 1,
  seed: "commit",
  steps,
  ...over,
});

describe("what is worse than the night before", () => {
  test("nothing in the first night, where everything passed", () => {
    expect(findRegressions([], night([step()]))).toEqual([]);
  });

  test("a step that failed, with its reasons, also in the first night", () => {
    const failed = step({ verdict: "failed", notes: ["conservation is violated"] });
    expect(findRegressions([], night([failed]))).toEqual(["search failed: conservation is violated"]);
  });

  test("a step that cannot run any more", () => {
    const skipped = step({ verdict: "skipped", notes: ["no other Node could be installed"] });
    expect(findRegressions([night([step()])], night([skipped]))).toEqual([
      "search was skipped, and ran on 2026-11-26: no other Node could be installed",
    ]);
    expect(findRegressions([], night([skipped]))).toEqual([]);
  });

  test("a figure that fell, but a slower search only by a third", () => {
    const slower = (rate: number) => night([step({ figures: { "transactions a second": rate, digest: "aa" } })]);
    expect(findRegressions([night([step()])], slower(7_000))).toEqual([]);
    expect(findRegressions([night([step()])], slower(6_999))).toEqual([
      "search: transactions a second fell from 10000 (2026-11-26) to 6999",
    ]);
    const bugs = (found: number) => night([step({ id: "planted bugs", figures: { "bugs found": found } })]);
    expect(findRegressions([bugs(40)], bugs(39))).toEqual(["planted bugs: bugs found fell from 40 (2026-11-26) to 39"]);
  });

  test("another digest of the same commit and seed, while others may have another digest", () => {
    const other = [step({ figures: { digest: "bb" } })];
    expect(findRegressions([night([step()])], night(other))).toEqual([
      "search: digest is bb, and was aa on 2026-11-26 at the same commit",
    ]);
    expect(findRegressions([night([step()])], night(other, { commit: "dec0de00" }))).toEqual([]);
    expect(findRegressions([night([step()])], night(other, { seed: "7" }))).toEqual([]);
  });

  test("nights of another size, or on another number of cores, are not compared", () => {
    const slow = [step({ figures: { "transactions a second": 1, digest: "bb" } })];
    const before = [night([step()], { size: 0.5 }), night([step()], { cores: 64 })];
    expect(findRegressions(before, night(slow))).toEqual([]);
  });
});

test("a history is read line by line, and its page has the newest night first", () => {
  const first = night([step()], { date: "2026-11-25" });
  const second = night([step({ verdict: "failed", notes: ["a | b"], figures: { failures: 1 } })]);
  const nights = readNights(`${JSON.stringify(first)}\n${JSON.stringify(second)}\n`);
  expect(nights).toEqual([first, second]);
  const rows = renderNights(nights)
    .split("\n")
    .filter((line) => line.startsWith("| 2026"));
  expect(rows).toEqual([
    "| 2026-11-26 | `c0ffee00` | 24.21.0 | 2 | 1 | failed: a \\| b | 10.0 | 1 |  |  |",
    "| 2026-11-25 | `c0ffee00` | 24.21.0 | 2 | 1 | passed | 10.0 |  | 10000 | `aa` |",
  ]);
});

test("a part of a full size is never nothing", () => {
  expect([sized(1e9, 1), sized(1e9, 1e-6), sized(20, 0.001)]).toEqual([1e9, 1000, 1]);
});

test("a search that ends without a report fails its step, and says so", () => {
  const search = NIGHTLY_STEPS.find(({ id }) => id === "search")!;
  const context = { size: 1e-6, seed: "1", folder: "/nowhere", search: ["--redis", "redis://queue"] };
  const asked: string[] = [];
  const run = (_: unknown, words: readonly string[]) => {
    asked.push(...words);
    return { status: 2 };
  };
  expect(search.run({ ...context, run })).toEqual({
    verdict: "failed",
    figures: {},
    notes: ["the search ended with exit code 2 and wrote no report"],
  });
  expect(asked.join(" ")).toContain("--tx 1000 --seed 1 --max-failures 20 --redis redis://queue");
});

test("a search on another Node has no options of a queue, whose workers have one Node line", () => {
  const queue = ["--redis", "redis://queue", "--redis-prefix=own", "--workers", "2", "--redis-prefix", "own"];
  expect(withoutQueue(queue)).toEqual(["--workers", "2"]);
  expect(withoutQueue(["--redis=redis://queue", "--workers", "2"])).toEqual(["--workers", "2"]);
});

test("a planted bug is found if 19 of 20 seeds find it, and in a small night if every seed does", () => {
  const folder = createFolder();
  const planted = NIGHTLY_STEPS.find(({ id }) => id === "planted bugs")!;
  const measure = (trials: number, detected: number) => {
    const run = () => {
      writeFileSync(join(folder, "perpbench.json"), JSON.stringify({ bugs: [{ title: "1", trials, detected }] }));
      return { status: 0 };
    };
    return planted.run({ size: 1, seed: "1", folder, search: [], run });
  };
  expect(measure(20, 19).verdict).toBe("passed");
  expect(measure(1, 1).verdict).toBe("passed");
  expect(measure(20, 18).notes).toEqual(["found from 18 of 20 seeds: 1"]);
  expect(measure(1, 0).notes).toEqual(["found from 0 of 1 seeds: 1"]);
});

test("a small night kills a host under load, too, and fails where nothing was acknowledged", () => {
  const folder = createFolder();
  const restarts = NIGHTLY_STEPS.find(({ id }) => id === "restarts")!;
  const report = { verdict: "nothing shown", cycles: 4, acknowledged: 0, lost: 0, twice: 0 };
  const asked: string[] = [];
  const run = (_: unknown, words: readonly string[]) => {
    asked.push(...words);
    writeFileSync(join(folder, "crash.json"), JSON.stringify(report));
    return { status: 3 };
  };
  expect(restarts.run({ size: 1e-6, seed: "1", folder, search: [], run })).toEqual({
    verdict: "failed",
    figures: { cycles: 4, acknowledged: 0, lost: 0, twice: 0 },
    notes: ["verdict: nothing shown"],
  });
  expect(asked.join(" ")).toContain("--cycles 4");
});
