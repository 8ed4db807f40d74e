import { type JobsOptions, runJobs } from "../../lib/jobs.ts";
import { type QueuePlace, runQueuedJobs } from "../../lib/queueJobs.ts";
import type { OracleCopy, OracleName } from "./openCopy.ts";

/** Runs jobs in processes of the copy. The order of results depends on the runner, the results do not. */
export type JobRunner = <Job, Done>(
  options: Omit<JobsOptions<Job, Done>, "worker" | "workers" | "patience">,
) => Promise<void>;

export interface Runners {
  /** On this machine: runs without a mutant. */
  readonly here: JobRunner;
  /** Where the mutants are tried: here, or by the workers of a queue. */
  readonly mutants: JobRunner;
}

export interface RunnerSettings {
  readonly oracle: OracleName;
  /** Drawn mutants, and the seed that drew them: a worker makes its copy from them. */
  readonly drawn: number;
  readonly seed: number;
  /** Processes of this machine. */
  readonly workers: number;
  /** Seconds for one job. */
  readonly patience: number;
  readonly queue?: QueuePlace | undefined;
  /** Where remarks on Redis and on workers go. Default: standard error. */
  readonly say?: (text: string) => void;
}

export function createRunners({ worker, hash }: OracleCopy, settings: RunnerSettings): Runners {
  const { oracle, drawn, seed, workers, patience, queue, say } = settings;
  const here: JobRunner = (options) => runJobs({ ...options, worker, workers, patience });
  if (queue === undefined) return { here, mutants: here };
  const copy = { bench: `mutation-${oracle}`, version: hash, words: [String(drawn), String(seed)] };
  return { here, mutants: (options) => runQueuedJobs({ ...options, ...(say && { say }), copy, queue, patience }) };
}
