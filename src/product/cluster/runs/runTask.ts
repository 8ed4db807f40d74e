import { hashJob, type RunJob } from "../../research/runs/job.ts";
import type { Line } from "../queue/line.ts";
import type { Task } from "../queue/task.ts";

/** Data of a run for a worker, below two kilobytes. */
export interface RunTask {
  readonly job: RunJob;
  /** SHA-256 of each strategy's code by the hash of the strategy, see `packStrategy`. */
  readonly codes: Readonly<Record<string, string>>;
  /** File name of the tape on the machine of the command; a worker may have the tape under this name. */
  readonly tape: string;
  /** Time limit of the run, ms. */
  readonly limitMs: number;
  /** State root of the probe on the machine of the command, see `makeProbe`. */
  readonly probe: string;
}

/** Data that all runs of a command share. */
export interface RunShared extends Omit<RunTask, "job"> {
  readonly line: Line;
}

export function createRunTask(job: RunJob, { line, ...shared }: RunShared): Task {
  const body: RunTask = { job, ...shared };
  return { id: `run-${hashJob(job)}`, kind: "run", line, body };
}
