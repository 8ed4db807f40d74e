/** Tries the mutants of a search: in processes of this machine, or by the workers of a queue. */
import { runJobs } from "../lib/jobs.ts";
import { type QueuePlace, runQueuedJobs } from "../lib/queueJobs.ts";
import type { SearchCopy } from "./openSearchCopy.ts";
import { type SentKill, sendKills } from "./sentKill.ts";
import type { KillJob, Tried } from "./worker.ts";

export interface KillOptions {
  readonly copy: Pick<SearchCopy, "bench" | "worker">;
  readonly jobs: readonly KillJob[];
  /** Processes of this machine. */
  readonly workers: number;
  /** Seconds for one job. */
  readonly patience: number;
  readonly queue?: QueuePlace | undefined;
  /** Called with every result, in no certain order. The results do not depend on who made them. */
  onDone(done: Tried): void;
}

export async function runKills({ copy, jobs, workers, patience, queue, onDone }: KillOptions): Promise<void> {
  const common = {
    patience,
    onDone,
    envOf: ({ mutant, isLoaded }: Pick<KillJob, "mutant" | "isLoaded">) =>
      isLoaded ? { PERPLAB_MUTANT: String(mutant) } : undefined,
    lost: ({ mutant, cases }: Pick<KillJob, "mutant" | "cases">, why: string): Tried => {
      const none = { transactions: 0, seconds: patience, falseAlarms: [] };
      const finding = { kind: why, invariant: why, height: 0, observed: "the search itself ended" };
      return { kind: "kill", mutant, cases: cases.length, ...none, finding };
    },
  };
  if (queue === undefined) return runJobs<KillJob, Tried>({ ...common, worker: copy.worker, workers, jobs });
  return runQueuedJobs<SentKill, Tried>({ ...common, copy: copy.bench, queue, ...sendKills(jobs) });
}
