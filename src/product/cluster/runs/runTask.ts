import { hashJob, type RunJob } from "../../research/runs/job.ts";
import type { Line } from "../queue/line.ts";
import type { Task } from "../queue/task.ts";

/** What a worker has to know of a run: below two kilobytes. */
export interface RunTask {
  readonly job: RunJob;
  /** SHA-256 of each strategy's code by the hash of the strategy, see `packStrategy`. */
  readonly codes: Readonly<Record<string, string>>;
  /** Name of the tape's file where the job was made, without its folder: a worker may have it under this name. */
  readonly tape: string;
  /** Time of the run, ms. */
  readonly limitMs: number;
  /** State root of a run that every worker makes first, see `makeProbe`. */
  readonly probe: string;
}

/** The parts of a task that all runs of a command share. */
export interface RunShared extends Omit<RunTask, "job"> {
  readonly line: Line;
}

export function createRunTask(job: RunJob, { line, ...shared }: RunShared): Task {
  const body: RunTask = { job, ...shared };
  return { id: `run-${hashJob(job)}`, kind: "run", line, body };
}
