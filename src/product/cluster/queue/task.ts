import type { JobsOptions, Queue } from "bullmq";
import type { Connection } from "./connection.ts";
import { type Line, queueNameOf } from "./line.ts";

/** A job as it is sent. What many jobs share, and is large, is named by its hash. Plain data. */
export interface Task {
  /** Name, a function of everything that decides the result: equal names have equal results. */
  readonly id: string;
  /** What a worker does with it: `run` or `case`. */
  readonly kind: string;
  readonly line: Line;
  /** Read by the worker of this kind. */
  readonly body: unknown;
}

/** How a task ended: with the text of its result, or for good without one. */
export type Outcome =
  | { readonly kind: "done"; readonly text: string }
  | {
      readonly kind: "failed";
      readonly code: string;
      readonly message: string;
      readonly place?: string;
      readonly hint?: string;
    };

/** Attempts at a job whose worker reports a fault that another worker may not have. */
const ATTEMPTS = 4;
/** Pause before the second attempt; it doubles with each. */
const BACKOFF_MS = 500;
/** Failed jobs that are kept for `jobs list`, and for how long, s. */
const FAILED_KEPT = { count: 1_000, age: 14 * 86_400 };
/** Events that BullMQ keeps. They only wake coordinators, which ask for what they missed. */
const EVENTS_MOST = 2_000;

export const TASK_OPTIONS: JobsOptions = {
  attempts: ATTEMPTS,
  backoff: { type: "exponential", delay: BACKOFF_MS, jitter: 0.5 },
  removeOnComplete: true,
  removeOnFail: FAILED_KEPT,
  stackTraceLimit: 0,
};

/** The queue of a line. The caller closes it. */
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
  // The connection reports by itself that it is lost or back.
  queue.on("error", () => undefined);
  return queue;
}
