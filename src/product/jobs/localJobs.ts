import { setImmediate as nextTurn } from "node:timers/promises";
import type { JobEngine } from "./engine.ts";
import { JobBench, type JobKinds } from "./kind.ts";

/** Makes one job after the other in this thread. */
export function createLocalJobs(kinds: JobKinds): JobEngine {
  const bench = new JobBench(kinds);
  return {
    async run({ kind, shared, parts }, { onDone, signal } = {}) {
      const results: string[] = [];
      for (const [at, part] of parts.entries()) {
        signal?.throwIfAborted();
        results.push(await bench.make(kind, shared, part));
        onDone?.(at);
        // Between two jobs, signals of the process are handled and timers fire.
        await nextTurn();
      }
      return results;
    },
    async close() {},
  };
}
