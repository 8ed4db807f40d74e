import { hashCode } from "./codeHash.ts";
import type { RunEngine } from "./engine.ts";
import { executeRun } from "./executeRun.ts";
import type { RunSources } from "./sources.ts";

/** An engine that makes one run after the other in this thread. It closes its sources. */
export function createLocalEngine(sources: RunSources, code = hashCode()): RunEngine {
  return {
    async *run(requests, { onDone, signal } = {}) {
      let index = 0;
      for (const request of requests) {
        signal?.throwIfAborted();
        const result = await executeRun(request, sources, code);
        onDone?.(result, index);
        index++;
        yield result;
      }
    },
    close: () => sources.close(),
  };
}
