import type { RunEngine } from "./engine.ts";
import { hashJob } from "./job.ts";
import type { RunRecord, RunRequest, RunResult } from "./record.ts";
import type { RunStore } from "./runStore.ts";

/**
 * An engine that makes only the runs whose records are not in a store, and stores each new record as soon as its run
 * ends. Jobs that are equal are made once. A request for a report is always made.
 */
export function createStoredEngine(inner: RunEngine, store: RunStore): RunEngine {
  return {
    async *run(requests, { onDone, ...events } = {}) {
      const all = [...requests].map((request) => ({ request, hash: hashJob(request.job) }));
      /** Index of the request that makes the run of a hash. */
      const makers = new Map<string, number>();
      const missing: { readonly request: RunRequest; readonly index: number }[] = [];
      for (const [index, { request, hash }] of all.entries()) {
        const isWanted = request.report !== undefined || (!makers.has(hash) && store.read(hash) === undefined);
        if (!isWanted) continue;
        makers.set(hash, index);
        missing.push({ request, index });
      }
      const made = inner
        .run(
          missing.map(({ request }) => request),
          {
            ...events,
            onDone(result, at) {
              const { record } = result;
              if (record.error?.isFinal !== false) store.write(record);
              onDone?.(result, missing[at]!.index);
            },
          },
        )
        [Symbol.asyncIterator]();
      /** Records that are not stored, for equal jobs further on. */
      const lost = new Map<string, RunRecord>();
      const isMade = new Set(missing.map(({ index }) => index));
      try {
        for (const [index, { hash }] of all.entries()) {
          events.signal?.throwIfAborted();
          if (isMade.has(index)) {
            const { value } = await made.next();
            const result = value as RunResult;
            if (result.record.error?.isFinal === false) lost.set(hash, result.record);
            yield result;
            continue;
          }
          const record = lost.get(hash) ?? store.read(hash);
          if (record === undefined) throw new Error(`the record ${store.pathOf(hash)} was removed during the run`);
          const result = { record, isKept: true };
          onDone?.(result, index);
          yield result;
        }
        // Lets the engine below end in order.
        await made.next();
      } finally {
        await made.return?.(undefined);
      }
    },
    close: () => inner.close(),
  };
}
