import { parentPort, workerData } from "node:worker_threads";
import { createExecutor, type Setup } from "./execute.ts";
import type { Said, Task } from "./workerPool.ts";

/** Runs the jobs that are sent to this thread. The setup is its worker data. */
export function serveJobs(): void {
  const port = parentPort!;
  const executor = createExecutor(workerData as Setup);
  port.on("message", async ({ job, height }: Task) => {
    const say = (said: Said) => port.postMessage(said);
    const onBlock = (begun: number) => Atomics.store(height, 0, begun);
    try {
      const execute = await executor;
      say({ kind: "begun" });
      say({ kind: "done", result: execute(job, onBlock) });
    } catch (failure) {
      say({ kind: "failed", failure });
    }
  });
}
