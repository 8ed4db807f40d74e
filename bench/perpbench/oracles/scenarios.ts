/** The scenarios that users run in CI, with one bug: the score of the scenarios alone. */
import { join, relative } from "node:path";
import { findScenarioFiles } from "../../../src/product/scenario/run/findFiles.ts";
import { runScenarioFile } from "../../../src/product/scenario/run/runScenario.ts";
import type { Attempt } from "../job.ts";
import { selectBug, visited } from "../planted.ts";
import type { Finding } from "../search.ts";
import { describeThrown, measure } from "./measure.ts";

/** Scenarios of the copy. */
export const SCENARIOS: string = join(import.meta.dirname, "..", "..", "..", "scenarios");

export interface ScenariosJob {
  readonly method: "scenarios";
  readonly bug: number;
  /** Folder of the scenarios, under `scenarios`. Default: all. */
  readonly folder?: string;
}

/** The first scenario that fails with a bug. */
export interface ByScenarios extends Attempt {
  readonly method: "scenarios";
  /** Scenarios that reach its lines; only those were run. */
  readonly reaching: number;
  /** Scenarios that were run, the one that failed included. */
  readonly files: number;
  /** The file that failed, under `scenarios`. */
  readonly file?: string | undefined;
}

/** Scenario files under a folder of the copy's scenarios, by name. */
export function listScenarios(folder = ""): string[] {
  return findScenarioFiles([join(SCENARIOS, folder)]).files.map((file) => relative(SCENARIOS, file));
}

/** Bugs whose lines each scenario reaches, by file, and those that fail without a bug: they show nothing about one. */
interface Reach {
  readonly reaching: ReadonlyMap<string, ReadonlySet<number>>;
  readonly failing: readonly string[];
}

const reaches = new Map<string, Reach>();

/** Runs every scenario of a folder without a bug, once in a process. */
function reachOf(folder: string): Reach {
  const known = reaches.get(folder);
  if (known !== undefined) return known;
  const reaching = new Map<string, ReadonlySet<number>>();
  const failing: string[] = [];
  selectBug(0);
  for (const file of listScenarios(folder)) {
    visited.clear();
    if (findFailure(file) === undefined) reaching.set(file, new Set(visited));
    else failing.push(file);
  }
  const reach = { reaching, failing };
  reaches.set(folder, reach);
  return reach;
}

/** Runs the scenarios that reach the lines of a bug until one fails. Without a bug: those that fail by themselves. */
export function runScenarios({ bug, folder = "" }: ScenariosJob): ByScenarios {
  const { reaching, failing } = reachOf(folder);
  const chosen = bug === 0 ? failing : [...reaching].flatMap(([file, bugs]) => (bugs.has(bug) ? [file] : []));
  return measure(bug, () => {
    const counts = { method: "scenarios", reaching: bug === 0 ? reaching.size : chosen.length } as const;
    for (const [at, file] of chosen.entries()) {
      const finding = findFailure(file);
      if (finding !== undefined) return { ...counts, files: at + 1, file, finding };
    }
    return { ...counts, files: counts.reaching };
  });
}

/** What fails first in a scenario; undefined if it passes. */
function findFailure(file: string): Finding | undefined {
  try {
    const { cases, faults } = runScenarioFile(join(SCENARIOS, file));
    const [fault] = faults;
    if (fault !== undefined) return { kind: "fault", invariant: "fault", height: 0, observed: fault.message };
    const [failure] = cases.flatMap(({ failures }) => failures);
    if (failure === undefined) return undefined;
    const { kind, what } = failure;
    const invariant = kind === "invariant" ? what.replace("invariant ", "") : "expectation";
    return { kind, invariant, height: 0, observed: what.slice(0, 300) };
  } catch (error) {
    return { kind: "throw", invariant: "nothingThrows", height: 0, observed: describeThrown(error) };
  }
}
