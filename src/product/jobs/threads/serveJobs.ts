import { parentPort } from "node:worker_threads";
import { JobBench, type JobKinds } from "../kind.ts";
import { flattenError, type Reply } from "./messages.ts";

/** Message to a thread: one job. */
export interface JobRequest {
  readonly kind: string;
  readonly shared: string;
  readonly part: unknown;
}

/** Makes the jobs that are sent to this thread. */
export function serveJobs(kinds: JobKinds): void {
  const port = parentPort!;
  const bench = new JobBench(kinds);
  port.on("message", async ({ kind, shared, part }: JobRequest) => {
    const send = (reply: Reply<string>) => port.postMessage(reply);
    try {
      send({ kind: "begun" });
      send({ kind: "done", result: await bench.make(kind, shared, part) });
    } catch (error) {
      send({ kind: "failed", failure: flattenError(error) });
    }
  });
}
