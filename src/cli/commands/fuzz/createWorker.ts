import { Worker } from "node:worker_threads";
import type { Setup } from "../../../proof/fuzz/campaign/execute.ts";
import { threadOptions } from "../../threadOptions.ts";

/** A thread that runs cases. */
export function createWorker(setup: Setup): Worker {
  // The build renames the file, and no compiler rewrites the name in a URL.
  const file = import.meta.url.endsWith(".ts") ? "./worker.ts" : "./worker.js";
  return new Worker(new URL(file, import.meta.url), threadOptions(setup));
}
