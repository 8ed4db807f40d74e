import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { JobFailure } from "../../../product/cluster/queue/failure.ts";
import type { TaskHandler, WorkerEvents } from "../../../product/cluster/queue/worker.ts";

/** Jobs of the worker's queue by state. */
export type QueueLengths = Readonly<Record<string, number>>;

/** Time for the answer of Redis to one request, ms. A scrape is given up after ten seconds by default. */
const LENGTHS_MS = 3_000;

/** Bounds of the durations of jobs, s: from a run of a few hundred bars to one of many years. */
const SECONDS = [0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100, 300, 1_000, 3_000];

/** Metrics of one worker, in the text format of Prometheus. */
export class WorkerMetrics {
  readonly #registry = new Registry();
  readonly #ended: Counter<"outcome">;
  readonly #failed: Counter<"code" | "final">;
  readonly #underWay: Gauge;
  readonly #seconds: Histogram<"kind">;
  readonly #lengths: Gauge<"state">;
  readonly #isUp: Gauge;
  #readLengths: () => Promise<QueueLengths | undefined> = async () => undefined;

  constructor() {
    const registers = [this.#registry];
    collectDefaultMetrics({ register: this.#registry });
    this.#ended = new Counter({
      name: "perplab_worker_jobs_total",
      help: "Jobs that ended with a result: done here, or spared because their result was in Redis already.",
      labelNames: ["outcome"],
      registers,
    });
    // A rate needs a first value: both outcomes begin at 0.
    for (const outcome of ["done", "spared"]) this.#ended.inc({ outcome }, 0);
    this.#failed = new Counter({
      name: "perplab_worker_failed_attempts_total",
      help: "Attempts that failed, by error code, and whether no further attempt is made.",
      labelNames: ["code", "final"],
      registers,
    });
    this.#underWay = new Gauge({
      name: "perplab_worker_jobs_under_way",
      help: "Jobs that this worker makes now.",
      registers,
    });
    this.#seconds = new Histogram({
      name: "perplab_worker_job_seconds",
      help: "Time to make a job, whether it failed or not, without the time in the queue.",
      labelNames: ["kind"],
      buckets: SECONDS,
      registers,
    });
    this.#lengths = new Gauge({
      name: "perplab_queue_jobs",
      help: "Jobs in both queues of this worker's version and Node line, by state. Absent while Redis is away.",
      labelNames: ["state"],
      registers,
    });
    this.#isUp = new Gauge({ name: "perplab_redis_up", help: "1 while Redis answers.", registers });
  }

  /** Gives the metrics the lengths of a queue. It returns `undefined` while Redis is away. */
  watchQueue(read: () => Promise<QueueLengths | undefined>): void {
    this.#readLengths = read;
  }

  /** Counts what a worker reports, and passes it on. */
  count({ onDone, onFailed, onTrouble }: WorkerEvents): WorkerEvents {
    return {
      onDone: (task, isSpared) => {
        this.#ended.inc({ outcome: isSpared ? "spared" : "done" });
        onDone(task, isSpared);
      },
      onFailed: (id: string, failure: JobFailure, isFinal: boolean) => {
        this.#failed.inc({ code: failure.code, final: String(isFinal) });
        onFailed(id, failure, isFinal);
      },
      onTrouble,
    };
  }

  /** Measures a handler. */
  time(handler: TaskHandler): TaskHandler {
    return async (task, signal) => {
      this.#underWay.inc();
      const end = this.#seconds.startTimer({ kind: task.kind });
      try {
        return await handler(task, signal);
      } finally {
        end();
        this.#underWay.dec();
      }
    };
  }

  async text(): Promise<string> {
    const lengths = await within(LENGTHS_MS, this.#readLengths());
    this.#isUp.set(lengths === undefined ? 0 : 1);
    // An old length would look like a queue that nothing leaves.
    this.#lengths.reset();
    for (const [state, count] of Object.entries(lengths ?? {})) this.#lengths.set({ state }, count);
    return this.#registry.metrics();
  }
}

/** A value, or `undefined` if it fails or takes longer: a command waits for a Redis that is away without end. */
async function within<Value>(ms: number, value: Promise<Value>): Promise<Value | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, ms, undefined);
  });
  try {
    return await Promise.race([value.catch(() => undefined), late]);
  } finally {
    clearTimeout(timer);
  }
}
