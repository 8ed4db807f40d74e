import { parentPort, workerData } from "node:worker_threads";
import type { AnyStrategy } from "../../../../client/strategy/strategy.ts";
import { flattenError, type Reply } from "../../../jobs/threads/messages.ts";
import { executeRun } from "../executeRun.ts";
import type { RunResult } from "../record.ts";
import { openSources } from "../sources.ts";
import type { Task, ThreadSetup } from "./messages.ts";

/** Makes the runs that are sent to this thread. Its worker data is the setup. */
export function serveRuns(load: (path: string) => Promise<AnyStrategy>): void {
  const port = parentPort!;
  const { places, code } = workerData as ThreadSetup;
  const sources = openSources(places, load);
  port.on("message", async (request: Task) => {
    const send = (reply: Reply<RunResult>) => port.postMessage(reply);
    try {
      send({ kind: "begun" });
      send({ kind: "done", result: await executeRun(request, sources, code) });
    } catch (error) {
      send({ kind: "failed", failure: flattenError(error) });
    }
  });
}
