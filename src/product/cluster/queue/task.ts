import type { JobsOptions, Queue } from "bullmq";
import type { Connection } from "./connection.ts";
import { type Line, queueNameOf } from "./line.ts";

/** A job as it is sent to the queue. It refers to large shared texts by their hash. Plain data. */
export interface Task {
  /** Name: a hash of everything that decides the result. Equal names have equal results. */
  readonly id: string;
  /** Kind of the job, which chooses its handler on the worker: `run`, `case`, `paths`, `scenario`. */
  readonly kind: string;
  readonly line: Line;
  /** Data for the handler. */
  readonly body: unknown;
}

/** The kind of a job and the first digits of its hash, which name it to commands of `jobs`. */
export function shortenName(id: string): string {
  return id.slice(0, id.lastIndexOf("-") + 13);
}

/** How a task ended: with the text of its result, or with a failure after its last attempt. */
export type Outcome =
  | { readonly kind: "done"; readonly text: string }
  | {
      readonly kind: "failed";
      readonly code: string;
      readonly message: string;
      readonly place?: string;
      readonly hint?: string;
    };

/** Attempts at a job that fails for a reason that another worker may not have. */
const ATTEMPTS = 4;
/** Pause before the second attempt, ms. It doubles with each attempt. */
const BACKOFF_MS = 500;
/** How many failed jobs are kept for `jobs list`, and how long, s. */
const FAILED_KEPT = { count: 1_000, age: 14 * 86_400 };
/** Events that BullMQ keeps. They only wake coordinators, which find missed outcomes by their own checks. */
const EVENTS_MOST = 2_000;

export const TASK_OPTIONS: JobsOptions = {
  attempts: ATTEMPTS,
  backoff: { type: "exponential", delay: BACKOFF_MS, jitter: 0.5 },
  removeOnComplete: true,
  removeOnFail: FAILED_KEPT,
  stackTraceLimit: 0,
};

/** Opens the queue of a line. The caller closes it. */
export function openQueue(connection: Connection, line: Line): Queue<Task> {
  return openQueueNamed(connection, queueNameOf(line));
}

export function openQueueNamed({ bullmq, redis, prefix, telemetry }: Connection, name: string): Queue<Task> {
  const queue = new bullmq.Queue<Task>(name, {
    connection: redis,
    prefix,
    ...(telemetry === undefined ? {} : { telemetry }),
    streams: { events: { maxLen: EVENTS_MOST } },
  });
  // The connection itself reports when it is lost and when it is back.
  queue.on("error", () => undefined);
  return queue;
}
