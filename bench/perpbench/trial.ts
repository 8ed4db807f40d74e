import { MODEL_CHECKERS } from "../../src/proof/fuzz/run/modelCheckers.ts";
import { oraclesFor } from "../../src/proof/fuzz/run/oraclesFor.ts";
import { runCase } from "../../src/proof/fuzz/run/runCase.ts";
import type { FuzzViolation } from "../../src/proof/fuzz/run/violation.ts";
import { shrinkChronicle } from "../../src/proof/fuzz/shrink/shrinkScript.ts";
import { invariants } from "../../src/proof/invariants/list.ts";
import { type Guidance, searchGuided } from "./guided.ts";
import type { Attempt } from "./job.ts";
import { readCanary, selectBug } from "./planted.ts";
import { type CaseOutcome, drawNumbered, isRepeated, searchCase } from "./search.ts";

/** One bug, searched from one seed until a finding or the end of the budget. */
export interface Trial extends Attempt {
  readonly method: "search";
  readonly seed: number;
  /** Transactions. */
  readonly budget: number;
  readonly transactions: number;
  /** Transactions of the case after shrinking, if it was shrunk. */
  readonly shrunk?: number | undefined;
  readonly shrinkSeconds?: number | undefined;
}

/** A trial to run. */
export interface TrialJob extends Pick<Trial, "method" | "bug" | "seed" | "budget"> {
  readonly model: boolean;
  /** Whether a finding is shrunk, which takes up to half a minute. */
  readonly shrinks: boolean;
  /** Guidance of the search; by default every case is newly drawn. */
  readonly guidance?: Guidance;
}

/** Range of case numbers per trial: no two trials share a case. */
const CASES = 1_000_000;
/** Maximum numbers of candidates, and of transactions that they apply, when shrinking. */
const CANDIDATES = 3_000;
const TRANSACTIONS = 400_000;

export async function runTrial(job: TrialJob): Promise<Trial> {
  const { bug, seed, budget, model, shrinks, guidance } = job;
  selectBug(bug);
  const before = process.cpuUsage();
  const outcome = guidance === undefined ? searchDrawn(job) : await searchGuided({ seed, budget, model, guidance });
  const { user, system } = process.cpuUsage(before);
  const { reached, triggered } = readCanary();
  const { transactions, finding } = outcome;
  const shrinking = performance.now();
  const shrunk = shrinks && bug !== 0 ? shrink(outcome) : undefined;
  selectBug(0);
  return {
    method: "search",
    bug,
    seed,
    budget,
    transactions,
    reached,
    triggered,
    finding: finding === undefined ? undefined : { ...finding, observed: finding.observed.slice(0, 300) },
    cpuSeconds: Math.round((user + system) / 1000) / 1000,
    shrunk,
    shrinkSeconds: shrunk === undefined ? undefined : secondsSince(shrinking),
  };
}

/** Draws cases one after another. */
function searchDrawn({ seed, budget, model }: TrialJob): CaseOutcome {
  let transactions = 0;
  let outcome: CaseOutcome | undefined;
  for (let count = 0; transactions < budget && outcome?.finding === undefined; count++) {
    const number = (seed * CASES + count) >>> 0;
    const most = budget - transactions;
    outcome = searchCase(drawNumbered(number), { most, model, repeats: isRepeated(number) });
    transactions += outcome.transactions;
  }
  return { ...outcome, transactions };
}

/** Transactions of the smallest chronicle that fails in the same way. */
function shrink({ finding, chronicle }: CaseOutcome): number | undefined {
  if (finding === undefined || chronicle === undefined) return undefined;
  const budget = { candidates: CANDIDATES, transactions: TRANSACTIONS };
  const byInvariant = finding.kind === "invariant" && invariants.some(({ id }) => id === finding.invariant);
  const failure = finding as FuzzViolation;
  const oracles = oraclesFor(failure.kind);
  const run = (candidate: NonNullable<CaseOutcome["chronicle"]>) => runCase(candidate, { oracles }).violation;
  const way = byInvariant ? {} : failure.kind === "model" ? { checkers: MODEL_CHECKERS } : { run };
  try {
    return shrinkChronicle(chronicle, failure, { ...budget, ...way })?.transactions;
  } catch {
    return undefined; // the case stays as it is
  }
}

function secondsSince(started: number): number {
  return Math.round(performance.now() - started) / 1000;
}
