import { Worker } from "node:worker_threads";
import type { ScenarioResult } from "./result.ts";
import { type RunOptions, runScenarioFile } from "./runScenario.ts";

/** Part `index` of `count`, counting from 1: every `count`-th file. */
export interface Shard {
  readonly index: number;
  readonly count: number;
}

/** The files of one shard; all shards together are all files. */
export function shardFiles(files: readonly string[], { index, count }: Shard): string[] {
  return files.filter((_, at) => at % count === index - 1);
}

export interface RunFilesOptions extends Omit<RunOptions, "readText"> {
  /** Makes a thread that calls `serveFiles`; it brings the invariants, which no thread can be sent. */
  readonly createWorker?: () => Worker;
}

/**
 * Runs files, on threads of their own where `workers` is more than 1. The results are in the order of the files,
 * whatever the number of workers.
 */
export async function runFiles(
  files: readonly string[],
  workers: number,
  { createWorker, ...options }: RunFilesOptions = {},
): Promise<ScenarioResult[]> {
  const size = Math.min(workers, files.length);
  if (size <= 1) return files.map((file) => runScenarioFile(file, options));
  const results = new Array<ScenarioResult>(files.length);
  let next = 0;
  await Promise.all(
    Array.from({ length: size }, () => {
      const worker = createWorker?.() ?? createOwnWorker(options);
      return runThread(worker, () => next++, files, results);
    }),
  );
  return results;
}

function createOwnWorker(options: Omit<RunOptions, "readText">): Worker {
  // The build renames the file, and no compiler rewrites the name in a URL.
  const file = import.meta.url.endsWith(".ts") ? "./worker.ts" : "./worker.js";
  return new Worker(new URL(file, import.meta.url), { workerData: options });
}

/** One thread: takes the next file until there is none. */
function runThread(
  worker: Worker,
  take: () => number,
  files: readonly string[],
  results: ScenarioResult[],
): Promise<void> {
  return new Promise<void>((resolve, reject) => {
    const give = () => {
      const at = take();
      const path = files[at];
      if (path === undefined) {
        void worker.terminate();
        resolve();
      } else worker.postMessage({ at, path });
    };
    worker.on("message", ({ at, result }: { at: number; result: ScenarioResult }) => {
      results[at] = result;
      give();
    });
    worker.once("error", reject);
    give();
  });
}
