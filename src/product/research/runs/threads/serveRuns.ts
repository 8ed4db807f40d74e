import { parentPort, workerData } from "node:worker_threads";
import type { AnyStrategy } from "../../../../client/strategy/strategy.ts";
import { executeRun } from "../executeRun.ts";
import { openSources } from "../sources.ts";
import type { Reply, Task, ThreadFailure, ThreadSetup } from "./messages.ts";

/** Makes the runs that are sent to this thread. Its worker data is the setup. */
export function serveRuns(load: (path: string) => Promise<AnyStrategy>): void {
  const port = parentPort!;
  const { places, code } = workerData as ThreadSetup;
  const sources = openSources(places, load);
  port.on("message", async (request: Task) => {
    const send = (reply: Reply) => port.postMessage(reply);
    try {
      send({ kind: "begun" });
      send({ kind: "done", result: await executeRun(request, sources, code) });
    } catch (error) {
      send({ kind: "failed", failure: flatten(error) });
    }
  });
}

function flatten(error: unknown): ThreadFailure {
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  const own = error as Readonly<Record<string, unknown>>;
  const textOf = (name: string) => (typeof own[name] === "string" ? own[name] : undefined);
  const place = [textOf("place") ?? textOf("file"), own["line"], own["column"]].filter((part) => part !== undefined);
  return {
    code: textOf("code"),
    message,
    place: place.length === 0 ? undefined : place.join(":"),
    hint: textOf("hint"),
    exitCode: own["exitCode"],
    stack,
  };
}
