import { parentPort } from "node:worker_threads";
import { type RunOptions, runScenarioFile } from "./runScenario.ts";

/** Runs the files that come to this thread, one after the other. */
export function serveFiles(options: RunOptions): void {
  const port = parentPort!;
  port.on("message", ({ at, path }: { at: number; path: string }) => {
    port.postMessage({ at, result: runScenarioFile(path, options) });
  });
}
