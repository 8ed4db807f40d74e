import { Worker } from "node:worker_threads";
import { threadOptions } from "../threadOptions.ts";

/** A thread that makes jobs of any kind. */
export function createJobWorker(): Worker {
  // The build renames the file, and no compiler rewrites the name in a URL.
  const file = import.meta.url.endsWith(".ts") ? "./worker.ts" : "./worker.js";
  return new Worker(new URL(file, import.meta.url), threadOptions(undefined));
}
