/** A thread that runs scenario files one after the other. */
import { parentPort, workerData } from "node:worker_threads";
import { type RunOptions, runScenarioFile } from "./runScenario.ts";

const port = parentPort!;

port.on("message", ({ at, path }: { at: number; path: string }) => {
  port.postMessage({ at, result: runScenarioFile(path, workerData as RunOptions) });
});
