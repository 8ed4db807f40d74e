/**
 * Searches for bugs, shrinks each failure, writes it as a scenario file, and runs the file in the copy: with the bug it
 * must fail, without it it must pass. Prints one line of JSON per bug.
 *
 *     node out/perpbench/bench/perpbench/fileRun.ts [--bugs 1,7] [--seed 1] [--budget 20000] [--model]
 */
import { parseArgs } from "node:util";
import { runScenarioFile } from "../../src/product/scenario/run/runScenario.ts";
import type { Chronicle } from "../../src/proof/fuzz/case/resolveCase.ts";
import { writeRegression } from "../../src/proof/fuzz/regression/writeRegression.ts";
import { oraclesFor } from "../../src/proof/fuzz/run/oraclesFor.ts";
import { runCase } from "../../src/proof/fuzz/run/runCase.ts";
import type { FuzzViolation } from "../../src/proof/fuzz/run/violation.ts";
import { type Shrunk, shrinkChronicle } from "../../src/proof/fuzz/shrink/shrinkScript.ts";
import { invariants } from "../../src/proof/invariants/list.ts";
import { bugs } from "./bugs/index.ts";
import { selectBug } from "./planted.ts";
import { type CaseOutcome, drawNumbered, searchCase } from "./search.ts";

/** Result for the file of a bug. */
export interface Filed {
  readonly bug: number;
  /** Oracle that saw it first; undefined if the search found nothing. */
  readonly invariant?: string;
  /** Undefined if nothing was shrunk. */
  readonly transactions?: number;
  /** True if the file fails with the bug. */
  readonly fails?: boolean;
  /** True if it fails by the same invariant or, for a model failure, by an expectation. */
  readonly isSame?: boolean;
  /** True if the file passes without the bug. */
  readonly passes?: boolean;
  readonly text?: string;
}

export interface FileOptions {
  readonly seed: number;
  /** Transactions of the search. */
  readonly budget: number;
  readonly model: boolean;
}

/** Maximum number of candidates when shrinking. */
const CANDIDATES = 600;

export function fileBug(bug: number, options: FileOptions): Filed {
  const { finding, chronicle } = search(bug, options);
  if (finding === undefined || chronicle === undefined) return { bug };
  const { invariant } = finding;
  const shrunk = shrink(bug, finding as FuzzViolation, chronicle);
  if (shrunk === undefined) return { bug, invariant };
  selectBug(bug);
  const { text } = writeRegression(shrunk.script, shrunk.failure, invariants.find(({ id }) => id === invariant) ?? {});
  const found = run(bug, text);
  const isSame = found.length > 0 && (finding.kind !== "invariant" || found.includes(`invariant ${invariant}`));
  const passes = run(0, text).length === 0;
  return { bug, invariant, transactions: shrunk.transactions, fails: found.length > 0, isSame, passes, text };
}

function search(bug: number, { seed, budget, model }: FileOptions): CaseOutcome {
  let spent = 0;
  for (let number = seed * 1_000_000; ; number++) {
    selectBug(bug);
    const outcome = searchCase(drawNumbered(number >>> 0), { most: budget - spent, model });
    spent += outcome.transactions;
    if (outcome.finding !== undefined || spent >= budget) return outcome;
  }
}

function shrink(bug: number, failure: FuzzViolation, chronicle: Chronicle): Shrunk | undefined {
  selectBug(bug);
  const options = { candidates: CANDIDATES };
  if (failure.kind === "invariant" || failure.kind === "throw") return shrinkChronicle(chronicle, failure, options);
  const oracles = oraclesFor(failure.kind);
  return shrinkChronicle(chronicle, failure, { ...options, run: (blocks) => runCase(blocks, { oracles }).violation });
}

/** Failures of a file; the text of an error if the venue throws. */
function run(bug: number, text: string): string[] {
  selectBug(bug);
  try {
    const { cases, faults } = runScenarioFile("scenarios/regressions/planted.yaml", { readText: () => text });
    return [
      ...faults.map(({ message }) => message),
      ...cases.flatMap(({ failures }) => failures.map(({ what }) => what)),
    ];
  } catch (error) {
    return [String(error)];
  } finally {
    selectBug(0);
  }
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      bugs: { type: "string" },
      seed: { type: "string", default: "1" },
      budget: { type: "string", default: "20000" },
      model: { type: "boolean", default: false },
    },
  });
  const chosen = values.bugs?.split(",").map(Number) ?? bugs.map(({ number }) => number);
  const options = { seed: Number(values.seed), budget: Number(values.budget), model: values.model };
  for (const bug of chosen) console.log(JSON.stringify(fileBug(bug, options)));
}
