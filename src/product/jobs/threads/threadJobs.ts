import type { Worker } from "node:worker_threads";
import type { Batch, JobEngine, JobEvents } from "../engine.ts";
import { JobError } from "../errors.ts";
import { restoreError, type ThreadFailure } from "./messages.ts";
import type { JobRequest } from "./serveJobs.ts";
import { HINT_OF_LOST, Thread } from "./thread.ts";

/** Settings of an engine of threads. */
export interface ThreadJobsSettings {
  /** Threads at most, over all calls of `run` together; at least 1. */
  readonly workers: number;
  /** Creates a thread that calls `serveJobs`. */
  readonly create: () => Worker;
  /** Time of one job, ms. */
  readonly limitMs: number;
}

type JobThread = Thread<JobRequest, string>;

/** Makes jobs in threads. A job whose thread ends is made once more in a new thread. */
export function createThreadJobs({ workers, create, limitMs }: ThreadJobsSettings): JobEngine {
  const threads = Array.from({ length: workers }, (): JobThread => new Thread({ create, limitMs, restore }));
  const pool = new ThreadPool(threads);
  return {
    run: (batch, events = {}) => runBatch(pool, workers, limitMs, batch, events),
    async close() {
      await Promise.all(threads.map((thread) => thread.stop()));
    },
  };
}

/** Lends threads, in the order in which they are asked for. */
class ThreadPool {
  readonly #idle: JobThread[];
  readonly #waiting: ((thread: JobThread) => void)[] = [];

  constructor(threads: readonly JobThread[]) {
    this.#idle = [...threads];
  }

  async use<Value>(work: (thread: JobThread) => Promise<Value>): Promise<Value> {
    const thread = this.#idle.pop() ?? (await new Promise<JobThread>((resolve) => this.#waiting.push(resolve)));
    try {
      return await work(thread);
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#idle.push(thread);
      else next(thread);
    }
  }
}

async function runBatch(
  pool: ThreadPool,
  workers: number,
  limitMs: number,
  { kind, shared, parts }: Batch,
  { onDone, signal }: JobEvents,
): Promise<readonly string[]> {
  const results = new Array<string>(parts.length);
  const failures = new Map<number, unknown>();
  let next = 0;
  const feed = async () => {
    // Jobs start in order. After a failure the earlier ones end, so that the error does not depend on the threads.
    while (next < parts.length && failures.size === 0) {
      const at = next++;
      try {
        const request = { kind, shared, part: parts[at] };
        results[at] = await pool.use((thread) => makeJob(thread, request, limitMs, signal));
        onDone?.(at);
      } catch (error) {
        failures.set(at, error);
      }
    }
  };
  signal?.throwIfAborted();
  await Promise.all(Array.from({ length: Math.min(workers, parts.length) }, feed));
  signal?.throwIfAborted();
  const [first] = [...failures].sort(([a], [b]) => a - b);
  if (first !== undefined) throw first[1];
  return results;
}

async function makeJob(
  thread: JobThread,
  request: JobRequest,
  limitMs: number,
  signal: AbortSignal | undefined,
): Promise<string> {
  signal?.throwIfAborted();
  // The end of its thread is the only way to stop a job.
  const stop = () => void thread.stop();
  signal?.addEventListener("abort", stop);
  try {
    const first = await thread.attempt(request);
    signal?.throwIfAborted();
    const attempt = first.kind === "lost" ? await thread.attempt(request) : first;
    signal?.throwIfAborted();
    if (attempt.kind === "done") return attempt.result;
    if (attempt.kind === "timedOut") {
      throw new JobError("JOB_TIMEOUT", `the job did not end within ${limitMs} ms`, {
        hint: "make the work smaller, or report the job as a fault of perplab",
      });
    }
    throw new JobError("WORKER_LOST", `its thread ended twice: ${attempt.reason}`, {
      hint: HINT_OF_LOST,
    });
  } finally {
    signal?.removeEventListener("abort", stop);
  }
}

/** An error of the job itself. One without a code is a fault of perplab, and keeps its stack. */
function restore(failure: ThreadFailure): Error {
  const { code, message, place, hint } = failure;
  const error = code === undefined ? new Error(message) : new JobError(code, message, { place, hint });
  return restoreError(error, failure);
}
