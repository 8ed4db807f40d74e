/**
 * Runs the scenarios that users run in CI in the copy, with each bug, and lists those that fail: the score of the
 * scenarios alone. A scenario that never reaches the lines of a bug is not run with it. Prints one line of JSON per bug.
 *
 *     node bench/perpbench/buildCopy.ts && node out/perpbench/bench/perpbench/scenarioRun.ts [--bugs 41,42] [--all]
 *
 * By default a bug ends with the first scenario that fails; `--all` lists every one.
 */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { runScenarioFile } from "../../src/product/scenario/run/runScenario.ts";
import { bugs } from "./bugs/index.ts";
import { selectBug, visited } from "./planted.ts";

/** Which scenarios find a bug. */
export interface ByScenarios {
  readonly bug: number;
  /** Scenarios that reach its lines. */
  readonly reaching: number;
  /** Scenarios that fail with it. */
  readonly failing: readonly string[];
}

/** True if a scenario fails, or the venue throws. */
function fails(path: string): boolean {
  try {
    const { cases, faults } = runScenarioFile(path);
    return faults.length > 0 || cases.some(({ failures }) => failures.length > 0);
  } catch {
    return true;
  }
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      bugs: { type: "string" },
      all: { type: "boolean", default: false },
      scenarios: { type: "string", default: join(process.cwd(), "scenarios") },
    },
  });
  const chosen = values.bugs?.split(",").map(Number) ?? bugs.map(({ number }) => number);
  const files = readdirSync(values.scenarios, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".yaml"))
    .sort();
  const reached = new Map<string, ReadonlySet<number>>();
  for (const file of files) {
    visited.clear();
    selectBug(0);
    // A scenario that fails without a bug shows nothing about one.
    if (!fails(join(values.scenarios, file))) reached.set(file, new Set(visited));
  }
  for (const bug of chosen) {
    const reaching = [...reached].filter(([, numbers]) => numbers.has(bug)).map(([file]) => file);
    const failing: string[] = [];
    for (const file of reaching) {
      selectBug(bug);
      if (!fails(join(values.scenarios, file))) continue;
      failing.push(file);
      if (!values.all) break;
    }
    const line: ByScenarios = { bug, reaching: reaching.length, failing };
    console.log(JSON.stringify(line));
  }
  selectBug(0);
}
