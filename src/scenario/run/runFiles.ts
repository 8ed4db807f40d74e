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

/**
 * Runs files, on threads of their own where `workers` is more than 1. The results stand in the order of the files,
 * whatever the number of workers.
 */
export async function runFiles(
  files: readonly string[],
  workers: number,
  options: Omit<RunOptions, "readText"> = {},
): Promise<ScenarioResult[]> {
  const size = Math.min(workers, files.length);
  if (size <= 1) return files.map((file) => runScenarioFile(file, options));
  const results = new Array<ScenarioResult>(files.length);
  let next = 0;
  await Promise.all(Array.from({ length: size }, () => runThread(() => next++, files, results, options)));
  return results;
}

/** One thread: takes the next file until there is none. */
function runThread(
  take: () => number,
  files: readonly string[],
  results: ScenarioResult[],
  options: Omit<RunOptions, "readText">,
): Promise<void> {
  // The build renames the file, and no compiler rewrites the name in a URL.
  const file = import.meta.url.endsWith(".ts") ? "./worker.ts" : "./worker.js";
  const worker = new Worker(new URL(file, import.meta.url), { workerData: options });
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
