import { parentPort, workerData } from "node:worker_threads";
import type { Said } from "./crew.ts";
import { createExecutor, type Setup } from "./execute.ts";
import type { Job } from "./job.ts";

/** Does the jobs that come to this thread. Its data is the setup. */
export function serveJobs(): void {
  const port = parentPort!;
  const executor = createExecutor(workerData as Setup);
  port.on("message", async (job: Job) => {
    const said: Said = await executor.then(
      (execute) => ({ result: execute(job) }),
      (failure: unknown) => ({ failure }),
    );
    port.postMessage(said);
  });
}
