// Runs in the copy, in a process of its own: takes jobs from its parent, one at a time.
import { readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { runScenarioFile } from "../../src/product/scenario/run/runScenario.ts";
import { readCase } from "../../src/proof/fuzz/case/writeCase.ts";
import type { Oracles } from "../../src/proof/fuzz/run/runCase.ts";
import { runCase } from "../../src/proof/fuzz/run/runCase.ts";
import { isScenario } from "./chooseCases.ts";
import { type GrowJob, type Grown, grow, TRANSACTIONS_MOST } from "./grow.ts";
import { endCovering, getMostTurns, type Seen, selectMutant, startCovering } from "./mutant.ts";

/** Short reason of a case that failed to end properly. */
export interface Finding {
  readonly kind: string;
  readonly invariant: string;
  readonly height: number;
  readonly observed: string;
}

/**
 * How a case is checked. `plain`: as in a search of the smoke profile with the model. `whole`: more often, and the
 * case runs again from its written form, with neutral changes, and with damaged input.
 */
export type Way = "plain" | "whole";

const WAYS: Readonly<Record<Way, Oracles>> = {
  plain: { watch: { sweepEvery: 8, heavyEvery: 64 }, model: true },
  whole: {
    watch: { sweepEvery: 4, heavyEvery: 12 },
    model: true,
    again: true,
    restored: true,
    metamorphic: true,
    damaged: true,
  },
};

/** Runs a case without a mutant in every mode, or a scenario file, and notes the places that run then. */
export interface LookJob {
  readonly kind: "look";
  /** Name of a case, or path of a file in the copy. */
  readonly name: string;
  readonly folder: string;
}

export interface Looked {
  readonly kind: "look";
  readonly name: string;
  readonly transactions: number;
  readonly mostTurns: number;
  readonly seen: readonly Seen[];
  /** A false alarm: the case is of no use. */
  readonly finding?: Finding | undefined;
}

/** Runs cases with a mutant until one of them finds it, then scenario files. */
export interface KillJob {
  readonly kind: "kill";
  readonly mutant: number;
  readonly cases: readonly (readonly [name: string, way: Way])[];
  readonly folder: string;
  /** Paths in the copy. */
  readonly files: readonly string[];
  /** Active from the start of the process: cases are not tried without it here. */
  readonly isLoaded: boolean;
}

export interface Tried {
  readonly kind: "kill";
  readonly mutant: number;
  /** Number of cases run, including the one that found it. */
  readonly cases: number;
  readonly transactions: number;
  readonly finding?: Finding | undefined;
  readonly seconds: number;
  /** Number of cases that report a finding without a mutant, too. */
  readonly falseAlarms: readonly string[];
}

export type AnyJob = GrowJob | LookJob | KillJob;
export type AnyDone = Grown | Looked | Tried;

/** Root of the copy. */
const COPY = join(import.meta.dirname, "..", "..");

const loaded = endCovering().map(({ mutant }) => mutant);

function runNamed(folder: string, name: string, way: Way): { transactions: number; finding?: Finding | undefined } {
  const given = readCase(readFileSync(join(folder, `${name}.case`)));
  const { transactions, violation } = runCase(given, { oracles: WAYS[way], maxTransactions: TRANSACTIONS_MOST });
  if (violation === undefined) return { transactions };
  const { kind, invariant, height, observed } = violation;
  return { transactions, finding: { kind, invariant, height, observed: observed.slice(0, 300) } };
}

function look({ name, folder }: LookJob): Looked {
  selectMutant(0);
  startCovering();
  const { transactions, finding } = isScenario(name) ? runScenario(name) : runNamed(folder, name, "whole");
  const mostTurns = getMostTurns();
  return { kind: "look", name, transactions, mostTurns, seen: endCovering(), finding };
}

/** Whether cases report no finding without a mutant, by name and mode. */
const clean = new Map<string, boolean>();

function isClean(folder: string, name: string, way: Way): boolean {
  const key = `${name} ${way}`;
  if (!clean.has(key)) {
    selectMutant(0);
    clean.set(key, runNamed(folder, name, way).finding === undefined);
  }
  return clean.get(key)!;
}

function kill({ mutant, cases, folder, files, isLoaded }: KillJob): Tried {
  const started = performance.now();
  let [transactions, tried] = [0, 0];
  let finding: Finding | undefined;
  const falseAlarms: string[] = [];
  for (const [name, way] of cases) {
    selectMutant(mutant);
    const outcome = runNamed(folder, name, way);
    transactions += outcome.transactions;
    tried++;
    if (outcome.finding === undefined) continue;
    finding = outcome.finding;
    if (isLoaded || isClean(folder, name, way)) break;
    falseAlarms.push(name);
    finding = undefined;
  }
  if (finding === undefined) {
    selectMutant(mutant);
    for (const file of files) finding ??= runScenario(file).finding;
  }
  if (!isLoaded) selectMutant(0);
  const seconds = Math.round(performance.now() - started) / 1000;
  return { kind: "kill", mutant, cases: tried, transactions, seconds, finding, falseAlarms };
}

function runScenario(file: string): { transactions: number; finding?: Finding | undefined } {
  let observed = posix.basename(file);
  try {
    if (runScenarioFile(join(COPY, file)).status === "passed") return { transactions: 0 };
  } catch (error) {
    observed = String(error).slice(0, 300);
  }
  return { transactions: 0, finding: { kind: "scenario", invariant: "scenario", height: 0, observed } };
}

// The parent process has ended.
process.on("disconnect", () => process.exit());
process.on("message", (job: AnyJob) => {
  process.send!(job.kind === "grow" ? grow(job, loaded) : job.kind === "look" ? look(job) : kill(job));
});
