import type { Worker } from "node:worker_threads";
import type { Task } from "../../product/cluster/queue/task.ts";
import { checkKind, checkProbe, createTaskHandler } from "../../product/cluster/queue/taskHandler.ts";
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

/** Failures that another attempt, here or on another worker, may not have. */
const RETRIED: ReadonlySet<string> = new Set(["WORKER_DIFFERS", "WORKER_LOST"]);

/** Runs cases of searches on a worker, and returns their results as text. */
export function createCaseHandler({ concurrency, probe, create }: CaseHandlerSettings): {
  handler: TaskHandler;
  close(): Promise<void>;
} {
  const slots = new CaseSlots(concurrency, create);
  const handler = createTaskHandler((task, signal) => runTask(slots, probe, task, signal), RETRIED);
  return { handler, close: () => slots.close() };
}

async function runTask(slots: CaseSlots, probe: string, task: Task, signal: AbortSignal): Promise<string> {
  checkKind(task, [CASE_KIND]);
  const body = task.body as CaseTask;
  const { setup, caseMs, probe: expected } = body;
  checkProbe(probe, expected);
  const { results, timedOut } = await slots.run(readJob(body), setup, caseMs, signal);
  // A timeout is not stored as a result, so a later search tries the case again.
  if (timedOut !== undefined) throw new FinalError(createTimeout(timedOut.height, caseMs));
  return writeResult(task.id, results[0]!);
}
