import { Worker } from "node:worker_threads";
import type { ThreadSetup } from "../../product/research/runs/threads/messages.ts";
import { threadOptions } from "../threadOptions.ts";

/** A thread that makes runs. */
export function createRunWorker(setup: ThreadSetup): Worker {
  // The build renames the file, and no compiler rewrites the name in a URL.
  const file = import.meta.url.endsWith(".ts") ? "./worker.ts" : "./worker.js";
  return new Worker(new URL(file, import.meta.url), threadOptions(setup));
}
