// Runs in the copy, a process of its own: takes jobs from its parent, one at a time.
import { type CaseOutcome, drawNumbered, type Finding, searchCase } from "../perpbench/search.ts";
import { endCovering, selectMutant, startCovering } from "./mutant.ts";

/** Runs one case without a mutant and tells which places ran. */
export interface CoverJob {
  readonly kind: "cover";
  readonly number: number;
  readonly mutants: number;
  readonly model: boolean;
}

export interface Covered {
  readonly kind: "cover";
  readonly number: number;
  readonly transactions: number;
  /** Mutants whose places ran, and how often. */
  readonly seen: readonly (readonly [mutant: number, times: number])[];
  /** A false alarm: the case is of no use. */
  readonly finding?: Finding | undefined;
}

/** Runs cases with a mutant until one of them finds it. */
export interface KillJob {
  readonly kind: "kill";
  readonly mutant: number;
  readonly cases: readonly number[];
  readonly model: boolean;
}

export interface Tried {
  readonly kind: "kill";
  readonly mutant: number;
  /** Cases that were run, the one that found it among them. */
  readonly cases: number;
  readonly transactions: number;
  readonly finding?: Finding | undefined;
  readonly seconds: number;
}

/** Everything is looked at more often than in a campaign, and each case is run again, from what it writes and spoilt, too. */
const SWEPT = { sweepEvery: 4, heavyEvery: 12 } as const;

function searchNumbered(number: number, model: boolean): CaseOutcome {
  return searchCase(drawNumbered(number), { model, repeats: true, spoilt: true, watch: SWEPT });
}

function cover({ number, mutants, model }: CoverJob): Covered {
  selectMutant(0);
  startCovering(mutants);
  const { transactions, finding } = searchNumbered(number, model);
  return { kind: "cover", number, transactions, seen: endCovering(), finding };
}

function kill({ mutant, cases, model }: KillJob): Tried {
  const started = performance.now();
  let transactions = 0;
  let tried = 0;
  let outcome: CaseOutcome = { transactions: 0 };
  for (const number of cases) {
    selectMutant(mutant);
    outcome = searchNumbered(number, model);
    transactions += outcome.transactions;
    tried++;
    if (outcome.finding !== undefined) break;
  }
  selectMutant(0);
  const seconds = Math.round(performance.now() - started) / 1000;
  const { finding } = outcome;
  return { kind: "kill", mutant, cases: tried, transactions, seconds, finding };
}

process.on("message", (job: CoverJob | KillJob) => {
  process.send!(job.kind === "cover" ? cover(job) : kill(job));
});
