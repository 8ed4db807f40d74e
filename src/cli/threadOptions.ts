import { join } from "node:path";
import type { WorkerOptions } from "node:worker_threads";

/** `bin/perplab.js` loads this first, too. Without it, a thread needs twice the time to find its modules. */
const IMPORTS = join(import.meta.dirname, "../../bin/imports.js");

/**
 * Options of a thread of the command line, so that it starts as fast as a process does.
 *
 * @param workerData what the thread gets
 */
export function threadOptions(workerData: unknown): WorkerOptions {
  // Options of Node that this process was given reach its threads only where none are stated.
  return process.execArgv.length === 0 ? { workerData, execArgv: ["--require", IMPORTS] } : { workerData };
}
