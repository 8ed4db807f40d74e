import { ClusterError } from "./errors.ts";
import { describeError } from "./failure.ts";
import type { Task } from "./task.ts";
import { FinalError, type TaskHandler } from "./worker.ts";

/**
 * Classifies the failures of a handler. A cancelled task fails with JOB_CANCELLED. Any other failure is final unless
 * its code is in `retried`.
 *
 * @param retried codes of failures after which the queue makes another attempt, here or on another worker
 */
export function createTaskHandler(make: TaskHandler, retried: ReadonlySet<string>): TaskHandler {
  return async (task, signal) => {
    try {
      return await make(task, signal);
    } catch (error) {
      if (signal.aborted) throw new FinalError({ code: "JOB_CANCELLED", message: "the job was cancelled" });
      if (error instanceof FinalError) throw error;
      const failure = describeError(error);
      throw retried.has(failure.code) ? error : new FinalError(failure);
    }
  };
}

/** @throws {ClusterError} JOB_MALFORMED if the kind of the task is not one of these */
export function checkKind({ kind }: Task, kinds: readonly string[]): void {
  if (kinds.includes(kind)) return;
  throw new ClusterError("JOB_MALFORMED", `there is no kind of job ${JSON.stringify(kind)}`);
}

/**
 * Compares the state root that this machine computed for the probe with that of the command.
 *
 * @throws {ClusterError} WORKER_DIFFERS
 */
export function checkProbe(own: string, expected: string): void {
  if (own === expected) return;
  const reason = `this machine computes the state root ${own} for a run that has ${expected} elsewhere`;
  throw new ClusterError("WORKER_DIFFERS", reason, { hint: "its results would differ; use another machine" });
}
