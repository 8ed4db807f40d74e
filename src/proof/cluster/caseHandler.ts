import type { Worker } from "node:worker_threads";
import { ClusterError } from "../../product/cluster/queue/errors.ts";
import { describeError } from "../../product/cluster/queue/failure.ts";
import type { Task } from "../../product/cluster/queue/task.ts";
import { FinalError, type TaskHandler } from "../../product/cluster/queue/worker.ts";
import type { Setup } from "../fuzz/campaign/execute.ts";
import { writeResult } from "./caseResult.ts";
import { CaseSlots } from "./caseSlots.ts";
import { CASE_KIND, type CaseTask, readJob } from "./caseTask.ts";
import { createTimeout } from "./caseTimeout.ts";

export interface CaseHandlerSettings {
  readonly concurrency: number;
  /** State root of the probe on this machine, see `makeProbe`. */
  readonly probe: string;
  /** Creates a thread that calls `serveJobs`. */
  readonly create: (setup: Setup) => Worker;
}

/** Failures that another attempt on the same or another worker may not have. */
const RETRIED: ReadonlySet<string> = new Set(["WORKER_DIFFERS", "WORKER_LOST"]);

/** Runs cases of searches, and returns their results as text. */
export function createCaseHandler({ concurrency, probe, create }: CaseHandlerSettings): {
  handler: TaskHandler;
  close(): Promise<void>;
} {
  const slots = new CaseSlots(concurrency, create);
  const handler: TaskHandler = async (task, signal) => {
    try {
      return await runTask(slots, probe, task, signal);
    } catch (error) {
      if (signal.aborted) throw new FinalError({ code: "JOB_CANCELLED", message: "the job was cancelled" });
      if (error instanceof FinalError) throw error;
      const failure = describeError(error);
      throw RETRIED.has(failure.code) ? error : new FinalError(failure);
    }
  };
  return { handler, close: () => slots.close() };
}

async function runTask(slots: CaseSlots, probe: string, { id, kind, body }: Task, signal: AbortSignal) {
  if (kind !== CASE_KIND) throw new ClusterError("JOB_MALFORMED", `there is no kind of job ${JSON.stringify(kind)}`);
  const task = body as CaseTask;
  const { setup, caseMs, probe: expected } = task;
  if (probe !== expected) {
    const reason = `this machine computes the state root ${probe} for a run that has ${expected} elsewhere`;
    throw new ClusterError("WORKER_DIFFERS", reason, { hint: "its results would differ; use another machine" });
  }
  const { results, timedOut } = await slots.run(readJob(task), setup, caseMs, signal);
  // A limit in time is no result: a later search tries again.
  if (timedOut !== undefined) throw new FinalError(createTimeout(timedOut.height, caseMs));
  return writeResult(id, results[0]!);
}
