/** The scenarios that users run in CI, with one bug: the score of the scenarios alone. */
import { join, relative } from "node:path";
import { compileScenario } from "../../../src/product/scenario/compile/compileScenario.ts";
import { findScenarioFiles } from "../../../src/product/scenario/run/findFiles.ts";
import { runScenario } from "../../../src/product/scenario/run/runScenario.ts";
import { invariants } from "../../../src/proof/invariants/list.ts";
import type { Attempt, Visits } from "../job.ts";
import { OUTSIDE_BLOCKS, readCanary, visited } from "../planted.ts";
import type { Finding } from "../search.ts";
import { describeThrown, measure } from "./measure.ts";

/** Scenarios of the copy. */
export const SCENARIOS: string = join(import.meta.dirname, "..", "..", "..", "scenarios");

export interface ScenariosJob {
  readonly method: "scenarios";
  readonly bug: number;
  /** Files under `scenarios`. Default: all. */
  readonly files?: readonly string[];
}

/** The first scenario that fails with a bug. */
export interface ByScenarios extends Attempt {
  readonly method: "scenarios";
  /** Scenarios that were run, the one that failed included. Without a bug, all are. */
  readonly files: number;
  /** Scenarios in which the fault showed; the others were not run with the invariants. */
  readonly shown: number;
  /** The file that failed, under `scenarios`. */
  readonly file?: string | undefined;
  /** Without a bug: the lines that each scenario reaches, of those that pass. */
  readonly visits?: Visits;
}

/** Scenario files under a folder of the copy's scenarios, by name. */
export function listScenarios(folder = ""): string[] {
  return findScenarioFiles([join(SCENARIOS, folder)]).files.map((file) => relative(SCENARIOS, file));
}

/** Runs scenarios until one fails. Without a bug, all are run. */
export function runScenarios({ bug, files = listScenarios() }: ScenariosJob): ByScenarios {
  return measure(bug, () => (bug === 0 ? runClean(files) : runPlanted(bug, files)));
}

type Shown = Omit<ByScenarios, "bug" | "reached" | "triggered" | "cpuSeconds">;

function runClean(files: readonly string[]): Shown {
  const visits: Record<string, readonly number[]> = {};
  let first: Pick<Shown, "file" | "finding"> = {};
  for (const file of files) {
    visited.clear();
    const finding = findFailure(file);
    if (finding === undefined) visits[file] = [...visited].sort((a, b) => a - b);
    else if (first.finding === undefined) first = { file, finding };
  }
  return { method: "scenarios", files: files.length, shown: files.length, ...first, visits };
}

function runPlanted(bug: number, files: readonly string[]): Shown {
  let shown = 0;
  for (const [at, file] of files.entries()) {
    const before = readCanary().triggered;
    // Without the invariants, which take most of the time. Where the fault does not show, they have nothing to see.
    const quick = findFailure(file, ALL);
    const isQuiet = quick === undefined && readCanary().triggered === before;
    if (isQuiet && !OUTSIDE_BLOCKS.has(bug)) continue;
    shown++;
    const finding = findFailure(file) ?? quick;
    if (finding !== undefined) return { method: "scenarios", files: at + 1, shown, file, finding };
  }
  return { method: "scenarios", files: files.length, shown };
}

const ALL: readonly string[] = invariants.map(({ id }) => id);

/** What fails first in a scenario; undefined if it passes. */
function findFailure(file: string, disabled: readonly string[] = []): Finding | undefined {
  try {
    const scenario = compileScenario(join(SCENARIOS, file));
    const cases = scenario.cases.map((one) => ({ ...one, disabled: [...one.disabled, ...disabled] }));
    const [failure] = runScenario({ ...scenario, cases }).cases.flatMap(({ failures }) => failures);
    if (failure === undefined) return undefined;
    const { kind, what } = failure;
    const invariant = kind === "invariant" ? what.replace("invariant ", "") : "expectation";
    return { kind, invariant, height: 0, observed: what.slice(0, 300) };
  } catch (error) {
    return { kind: "throw", invariant: "nothingThrows", height: 0, observed: describeThrown(error) };
  }
}
