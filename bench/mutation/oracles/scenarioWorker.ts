// Runs in the copy, in a process of its own: takes jobs from its parent, one at a time.
import { join } from "node:path";
import { compileScenario } from "../../../src/product/scenario/compile/compileScenario.ts";
import type { Scenario } from "../../../src/product/scenario/compile/plan.ts";
import { runScenario } from "../../../src/product/scenario/run/runScenario.ts";
import { invariants } from "../../../src/proof/invariants/list.ts";
import { endCovering, type Seen, selectMutant, startCovering } from "../mutant.ts";

/** `plain`: the expectations of the file alone. `checked`: with the invariants, as `scenario run` checks a file. */
export type Mode = "plain" | "checked";

/** Runs a file without a mutant in one mode, and notes the places that run. */
export interface ReachJob {
  readonly kind: "reach";
  /** Path from the root of the copy. */
  readonly file: string;
  readonly mode: Mode;
}

export interface Reach {
  readonly kind: "reach";
  readonly seen: readonly Seen[];
  /** Mutants of code that runs when a module is loaded. */
  readonly loaded: readonly number[];
  readonly seconds: number;
  /** Why the file fails without a mutant: it is of no use. */
  readonly failure?: string | undefined;
}

/** Runs files with a mutant until one of them fails. */
export interface KillJob {
  readonly kind: "kill";
  readonly mutant: number;
  readonly mode: Mode;
  readonly files: readonly string[];
  /** Active from the start of the process. */
  readonly isLoaded: boolean;
}

export interface Kill {
  readonly kind: "kill";
  /** The file that failed, and what it observed. */
  readonly killer?: { readonly file: string; readonly kind: string; readonly what: string } | undefined;
  readonly seconds: number;
}

export type AnyJob = ReachJob | KillJob;
export type AnyDone = Reach | Kill;

const loaded = endCovering().map(({ mutant }) => mutant);
const all = invariants.map(({ id }) => id);

const COPY = join(import.meta.dirname, "..", "..", "..");

function runFile(file: string, mode: Mode): Kill["killer"] {
  try {
    const compiled = compileScenario(join(COPY, file));
    const { status, cases } = runScenario(mode === "plain" ? withoutInvariants(compiled) : compiled);
    if (status === "passed") return undefined;
    const failure = cases.flatMap(({ failures }) => failures)[0]!;
    return { file, kind: failure.kind, what: failure.what };
  } catch (error) {
    return { file, kind: "thrown", what: String(error).slice(0, 200) };
  }
}

function withoutInvariants(scenario: Scenario): Scenario {
  return { ...scenario, cases: scenario.cases.map((plan) => ({ ...plan, disabled: all })) };
}

function reach({ file, mode }: ReachJob): Reach {
  const started = performance.now();
  selectMutant(0);
  startCovering();
  const failure = runFile(file, mode);
  return {
    kind: "reach",
    seen: endCovering(),
    loaded,
    seconds: secondsSince(started),
    failure: failure && `${failure.kind}: ${failure.what}`,
  };
}

function kill({ mutant, mode, files, isLoaded }: KillJob): Kill {
  const started = performance.now();
  let killer: Kill["killer"];
  for (const file of files) {
    selectMutant(mutant);
    killer ??= runFile(file, mode);
    if (killer !== undefined) break;
  }
  if (!isLoaded) selectMutant(0);
  return { kind: "kill", killer, seconds: secondsSince(started) };
}

function secondsSince(started: number): number {
  return Math.round(performance.now() - started) / 1000;
}

// The parent process has ended.
process.on("disconnect", () => process.exit());
process.on("message", (job: AnyJob) => {
  process.send!(job.kind === "reach" ? reach(job) : kill(job));
});
