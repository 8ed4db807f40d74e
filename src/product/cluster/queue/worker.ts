import type { Job, Worker } from "bullmq";
import { type Connection, isFull, toClusterError } from "./connection.ts";
import { ClusterError } from "./errors.ts";
import { describeError, type JobFailure, writeFailure } from "./failure.ts";
import { keysOf } from "./keys.ts";
import { describeLine, isSameLine, type Line, queueNameOf } from "./line.ts";
import { countSpared, hasResult, putResult } from "./results.ts";
import type { Task } from "./task.ts";
import { REPORT_MS, removeWorker, reportWorker, type WorkerNote } from "./workers.ts";

/** Makes the result of a task, as text. Throws a `FinalError` if every attempt would fail, or else any error. */
export type TaskHandler = (task: Task, signal: AbortSignal) => Promise<string>;

/** A failure after which no other attempt is made. */
export class FinalError extends Error {
  readonly failure: JobFailure;

  constructor(failure: JobFailure) {
    super(failure.message);
    this.failure = failure;
  }
}

/** Reports of a worker while it runs. */
export interface WorkerEvents {
  /** @param isSpared the result was in Redis already, and the task was not made */
  readonly onDone: (task: Task, isSpared: boolean) => void;
  /** @param isFinal no further attempt is made */
  readonly onFailed: (id: string, failure: JobFailure, isFinal: boolean) => void;
  /** A problem with Redis, after which the worker continues. */
  readonly onTrouble: (reason: string) => void;
}

export interface WorkerSettings {
  readonly name: string;
  readonly line: Line;
  readonly concurrency: number;
  /** Time without renewal of a job's lock after which another worker takes the job over, ms. */
  readonly takeoverMs: number;
  readonly handler: TaskHandler;
  readonly events: WorkerEvents;
}

/** Most takeovers of one job. After them it fails, since it may be the job that ends its workers. */
const TAKEOVERS_MOST = 8;
/** Attempts to store a result while Redis is full, and the pause between them, ms. */
const STORE_ATTEMPTS = 60;
const STORE_PAUSE_MS = 1_000;

/** A worker of a queue. It takes jobs, makes them and stores their results. */
export interface TaskWorker {
  /** True while it makes a job or stores its result. */
  isBusy(): boolean;
  /** Takes no further job, and resolves when the running jobs have ended. */
  drain(): Promise<void>;
  /** Ends at once, with its running jobs. Other workers take them over. */
  close(): Promise<void>;
}

/**
 * Starts a worker.
 *
 * @throws {ClusterError} REDIS_DENIED, REDIS_FULL
 */
export async function startWorker(connection: Connection, settings: WorkerSettings): Promise<TaskWorker> {
  const { bullmq, redis, prefix, telemetry } = connection;
  const { name, line, concurrency, takeoverMs, events } = settings;
  const startedMs = Date.now();
  const underWay = new Map<string, AbortController>();
  let done = 0;
  let isClosed = false;

  const process = async ({ data }: Job<Task>): Promise<string> => {
    const abort = new AbortController();
    underWay.set(data.id, abort);
    try {
      const isSpared = await makeTask(connection, settings, data, abort.signal);
      done++;
      events.onDone(data, isSpared);
      return "";
    } catch (error) {
      // It leaves the job in Redis as it is. After `takeoverMs` its lock has expired, and another worker takes it over.
      if (isClosed) throw new bullmq.WaitingError();
      throw toJobError(connection, error);
    } finally {
      underWay.delete(data.id);
    }
  };
  const report = async () => {
    const note: WorkerNote = { ...line, name, concurrency, done, startedMs, seenMs: Date.now() };
    await reportWorker(connection, note);
    await abortCancelled(connection, underWay);
  };
  try {
    await report();
  } catch (error) {
    throw toClusterError(error, connection.place);
  }
  // BullMQ starts the worker in its constructor, so everything that may fail comes before.
  const worker: Worker<Task> = new bullmq.Worker<Task>(queueNameOf(line), process, {
    connection: redis,
    prefix,
    name,
    concurrency,
    lockDuration: takeoverMs,
    stalledInterval: takeoverMs,
    maxStalledCount: TAKEOVERS_MOST,
    runRetryDelay: 1_000,
    ...(telemetry === undefined ? {} : { telemetry }),
  });
  worker.on("error", (error) => events.onTrouble(describeTrouble(connection, error)));
  worker.on("failed", (job, error) => {
    // There is no job if it was removed while it ran.
    if (job === undefined) return;
    const isFinal = error.name === "UnrecoverableError" || job.attemptsMade >= (job.opts.attempts ?? 1);
    events.onFailed(job.id ?? "", readError(error), isFinal);
  });

  const timer = setInterval(() => {
    report().catch((error: unknown) => events.onTrouble(describeTrouble(connection, error)));
  }, REPORT_MS);
  const leave = async () => {
    clearInterval(timer);
    if (redis.status === "ready") await removeWorker(connection, name).catch(() => undefined);
  };
  return {
    isBusy: () => underWay.size > 0,
    async drain() {
      await worker.close();
      await leave();
    },
    async close() {
      isClosed = true;
      for (const abort of underWay.values()) abort.abort();
      await worker.close(true);
      await leave();
    },
  };
}

/** @returns true if the result was in Redis already */
async function makeTask(
  connection: Connection,
  { line, handler }: WorkerSettings,
  task: Task,
  signal: AbortSignal,
): Promise<boolean> {
  checkTask(task, line);
  if (await hasResult(connection, task.id)) {
    await countSpared(connection);
    return true;
  }
  const text = await handler(task, signal);
  await storeResult(connection, task.id, text);
  return false;
}

function checkTask(task: Task, line: Line): void {
  if (typeof task?.id !== "string" || typeof task.kind !== "string" || typeof task.line?.code !== "string") {
    throw new FinalError({ code: "JOB_MALFORMED", message: "the job was not written by this version of perplab" });
  }
  if (isSameLine(task.line, line)) return;
  throw new FinalError({
    code: "WORKER_VERSION",
    message: `the job is for ${describeLine(task.line)}, and this worker is ${describeLine(line)}`,
    hint: "start workers of the version that sent the job",
  });
}

/** Stores a result. It may have taken long to make, so the worker tries a full Redis again for a minute. */
async function storeResult(connection: Connection, id: string, text: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await putResult(connection, id, text);
    } catch (error) {
      if (!isFull(error) || attempt >= STORE_ATTEMPTS) throw error;
      await new Promise((resolve) => setTimeout(resolve, STORE_PAUSE_MS));
    }
  }
}

/** The error for BullMQ, which stores only its message. */
function toJobError({ bullmq, place }: Connection, error: unknown): Error {
  if (error instanceof FinalError) return new bullmq.UnrecoverableError(writeFailure(error.failure));
  return new Error(writeFailure(describeError(toClusterError(error, place))));
}

function readError({ message }: Error): JobFailure {
  try {
    return JSON.parse(message) as JobFailure;
  } catch {
    return describeError(new Error(message));
  }
}

function describeTrouble({ place }: Connection, error: unknown): string {
  const known = toClusterError(error, place);
  return known instanceof ClusterError ? `${known.code} ${known.message}` : String((error as Error).message ?? error);
}

/** Ends running jobs that were cancelled. */
async function abortCancelled(
  { redis, prefix }: Connection,
  underWay: ReadonlyMap<string, AbortController>,
): Promise<void> {
  const ids = [...underWay.keys()];
  if (ids.length === 0) return;
  const marks = await redis.mget(ids.map(keysOf(prefix).cancelled));
  for (const [at, id] of ids.entries()) if (marks[at] !== null) underWay.get(id)?.abort();
}
