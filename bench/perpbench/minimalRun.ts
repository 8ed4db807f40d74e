/**
 * The shortest hand-written scenario of every bug that has one, without the bug and with it: it must pass, and then
 * trigger the fault.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { compileScenario } from "../../src/product/scenario/compile/compileScenario.ts";
import { runScenario } from "../../src/product/scenario/run/runScenario.ts";
import { bugs } from "./bugs/index.ts";
import { readCanary, selectBug } from "./planted.ts";

/** Result of the shortest scenario of a bug. */
export interface Minimal {
  readonly bug: number;
  /** Transactions, including oracle updates. */
  readonly transactions: number;
  readonly passes: boolean;
  readonly reached: number;
  readonly triggered: number;
  /** Invariants that saw it, in order; `expectation` if only an expectation of the scenario did. */
  readonly seen: readonly string[];
}

function fileOf(bug: number): string {
  return join(import.meta.dirname, "minimal", `pb${String(bug).padStart(2, "0")}.yaml`);
}

function runMinimal(bug: number): Minimal {
  const scenario = compileScenario(fileOf(bug));
  selectBug(0);
  const clean = runScenario(scenario);
  selectBug(bug);
  const seen = new Set<string>();
  let thrown = "";
  try {
    for (const { kind, what } of runScenario(scenario).cases[0]!.failures) {
      seen.add(kind === "invariant" ? what.replace("invariant ", "") : kind === "unexpected" ? "expectation" : kind);
    }
  } catch (error) {
    thrown = String((error as Error).message).split("\n")[0]!;
    seen.add(`throws: ${thrown}`);
  }
  const { reached, triggered } = readCanary();
  selectBug(0);
  const { status, cases } = clean;
  return {
    bug,
    transactions: cases[0]!.transactions,
    passes: status === "passed",
    reached,
    triggered,
    seen: [...seen],
  };
}

/** All of them, as one job. */
export interface MinimalJob {
  readonly method: "minimal";
}

export interface Minimals extends MinimalJob {
  readonly minimals: readonly Minimal[];
}

export function runMinimals(): Minimals {
  const written = bugs.map(({ number }) => number).filter((number) => existsSync(fileOf(number)));
  return { method: "minimal", minimals: written.map(runMinimal) };
}
