import { parentPort, workerData } from "node:worker_threads";
import { createExecutor, type Setup } from "./execute.ts";
import type { Reply, Task } from "./workerPool.ts";

/** Runs the jobs that are sent to this thread. The setup is its worker data. */
export function serveJobs(): void {
  const port = parentPort!;
  const executor = createExecutor(workerData as Setup);
  port.on("message", async ({ job, height }: Task) => {
    const send = (reply: Reply) => port.postMessage(reply);
    const onBlock = (begun: number) => Atomics.store(height, 0, begun);
    try {
      const execute = await executor;
      send({ kind: "begun" });
      send({ kind: "done", result: execute(job, onBlock) });
    } catch (failure) {
      send({ kind: "failed", failure });
    }
  });
}
