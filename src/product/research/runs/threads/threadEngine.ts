import type { Worker } from "node:worker_threads";
import { restoreError, type ThreadFailure } from "../../../jobs/threads/messages.ts";
import { HINT_OF_LOST, Thread } from "../../../jobs/threads/thread.ts";
import { createFailedRecord } from "../createRecord.ts";
import type { RunEngine, RunEvents } from "../engine.ts";
import { RunError, type RunErrorCode } from "../errors.ts";
import type { RunRequest, RunResult } from "../record.ts";
import type { Task } from "./messages.ts";

/** Results that may wait for an earlier one that is not there yet. */
const AHEAD_MOST = 256;

/** A thread that makes runs. */
type RunThread = Thread<Task, RunResult>;

/** Settings of an engine of threads. */
export interface ThreadOptions {
  readonly workers: number;
  /** Creates a thread that calls `serveRuns`. */
  readonly create: () => Worker;
  /** Time of one run, after which it is recorded as failed, ms. */
  readonly limitMs: number;
}

/**
 * An engine that makes runs in threads. A run whose thread ends is made once more in a new thread. If that ends too,
 * the run is recorded as failed; the others continue.
 */
export function createThreadEngine({ workers, create, limitMs }: ThreadOptions): RunEngine {
  const threads = Array.from({ length: workers }, (): RunThread => new Thread({ create, limitMs, restore }));
  return {
    run: (requests, events = {}) => runInThreads(threads, limitMs, requests, events),
    async close() {
      await Promise.all(threads.map((thread) => thread.stop()));
    },
  };
}

async function* runInThreads(
  threads: readonly RunThread[],
  limitMs: number,
  requests: Iterable<RunRequest>,
  { onDone, signal }: RunEvents,
): AsyncGenerator<RunResult> {
  const open = requests[Symbol.iterator]();
  /** Results by the index of their request, from the next that is to be returned on. */
  const results = new Map<number, RunResult>();
  let taken = 0;
  let returned = 0;
  let isOver = false;
  let failure: { readonly error: unknown } | undefined;
  let wake: () => void = () => undefined;
  /** Resolves at the next change of anything above. */
  let change = new Promise<void>((resolve) => (wake = resolve));
  const changed = () => {
    wake();
    change = new Promise<void>((resolve) => (wake = resolve));
  };
  const fail = (error: unknown) => {
    failure ??= { error };
    changed();
  };
  const onAbort = () => fail(signal!.reason);

  const feed = async (thread: RunThread) => {
    while (failure === undefined && !isOver) {
      if (taken - returned >= AHEAD_MOST) {
        await change;
        continue;
      }
      const { done, value } = open.next();
      if (done === true) {
        isOver = true;
        break;
      }
      const index = taken++;
      const result = await makeRun(thread, value, limitMs, () => failure !== undefined);
      if (result === undefined) break;
      onDone?.(result, index);
      results.set(index, result);
      changed();
    }
  };

  signal?.throwIfAborted();
  signal?.addEventListener("abort", onAbort);
  const feeders = threads.map((thread) => feed(thread).catch(fail));
  const fed = Promise.all(feeders).then(changed);
  try {
    for (;;) {
      if (failure !== undefined) throw failure.error;
      const result = results.get(returned);
      if (result !== undefined) {
        results.delete(returned++);
        yield result;
        changed();
      } else if (isOver && returned === taken) return;
      else await change;
    }
  } finally {
    signal?.removeEventListener("abort", onAbort);
    // A reader that leaves early, or a failure: the runs under way are dropped.
    if (failure !== undefined || !isOver || returned < taken) {
      failure ??= { error: undefined };
      changed();
      await Promise.all(threads.map((thread) => thread.stop()));
    }
    await fed;
  }
}

/** Undefined if the engine was stopped meanwhile. */
async function makeRun(
  thread: RunThread,
  request: RunRequest,
  limitMs: number,
  isStopped: () => boolean,
): Promise<RunResult | undefined> {
  const first = await thread.attempt(request);
  if (isStopped()) return undefined;
  if (first.kind === "done") return first.result;
  const second = first.kind === "lost" ? await thread.attempt(request) : first;
  if (isStopped()) return undefined;
  if (second.kind === "done") return second.result;
  if (second.kind === "timedOut") {
    return lose(
      request,
      "RUN_TIMEOUT",
      `the run did not end within ${limitMs} ms`,
      "raise the limit of a run, or leave this cell out",
    );
  }
  return lose(request, "WORKER_LOST", `its thread ended twice: ${second.reason}`, HINT_OF_LOST);
}

/** Another machine, or a longer limit, may make the run: the failure is not final. */
function lose({ job }: RunRequest, code: RunErrorCode, message: string, hint: string): RunResult {
  return { record: createFailedRecord(job, { code, message, hint, isFinal: false }) };
}

/** The failure of all runs. */
function restore(failure: ThreadFailure): Error {
  const { code, message, place, hint } = failure;
  return restoreError(new RunError(code ?? "RUN_FAILED", message, { place, hint }), failure);
}
