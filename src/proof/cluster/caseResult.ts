import { ClusterError } from "../../product/cluster/queue/errors.ts";
import type { JobResult } from "../fuzz/campaign/execute.ts";

/** Writes a result as text, with the name of its task. */
export function writeResult(id: string, result: JobResult): string {
  return JSON.stringify({ ...result, id, reached: [...result.reached], reachedAt: [...result.reachedAt] });
}

/**
 * Reads what `writeResult` wrote.
 *
 * @throws {ClusterError} JOB_MALFORMED if it is the result of another task
 */
export function readResult(id: string, text: string): JobResult {
  const {
    id: found,
    reached,
    reachedAt,
    ...rest
  } = JSON.parse(text) as Omit<JobResult, "reached" | "reachedAt"> & {
    readonly id: string;
    readonly reached: readonly number[];
    readonly reachedAt: readonly number[];
  };
  if (found === id) return { ...rest, reached: Uint32Array.from(reached), reachedAt: Uint16Array.from(reachedAt) };
  throw new ClusterError("JOB_MALFORMED", `the queue has the result of another case under the name of ${id}`, {
    hint: "use a Redis of your own: a program that may write to it decides the results",
  });
}
