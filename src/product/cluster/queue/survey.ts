import type { Job, Queue } from "bullmq";
import { type Connection, isFull } from "./connection.ts";
import { ClusterError } from "./errors.ts";
import { type JobFailure, readFailure } from "./failure.ts";
import { KEPT_S, keysOf } from "./keys.ts";
import { isQueueName, queueNameOf } from "./line.ts";
import { type Counters, countLastMinute, readCounters } from "./results.ts";
import { openQueueNamed, type Task } from "./task.ts";
import { listWorkers, type WorkerNote } from "./workers.ts";

/** States of a job that is in a queue. */
export const JOB_STATES = ["waiting", "active", "delayed", "failed"] as const;
export type JobState = (typeof JOB_STATES)[number];

/** A queue and its workers. */
export interface QueueSurvey {
  readonly name: string;
  readonly counts: Readonly<Record<JobState, number>>;
  readonly workers: readonly WorkerNote[];
}

/** Overview of all queues for an operator. */
export interface Survey {
  readonly queues: readonly QueueSurvey[];
  readonly counters: Counters;
  /** Jobs that ended in the last minute. */
  readonly perMinute: number;
  /** Time left at this rate, s; null if no job ended in the last minute, 0 if no job waits. */
  readonly secondsLeft: number | null;
}

/** A job in a queue. */
export interface JobNote {
  readonly id: string;
  readonly queue: string;
  readonly kind: string;
  readonly state: JobState;
  readonly attempts: number;
  /** Times that another worker took it over. */
  readonly takeovers: number;
  /** Worker that took it last; null before the first one. */
  readonly worker: string | null;
  readonly addedMs: number;
  readonly failure: JobFailure | null;
  readonly body: unknown;
}

/** Jobs of a queue by state. */
export async function countJobs(queue: Queue<Task>): Promise<QueueSurvey["counts"]> {
  const counted = await queue.getJobCounts(...JOB_STATES);
  const counts = Object.fromEntries(JOB_STATES.map((state) => [state, counted[state] ?? 0]));
  return counts as QueueSurvey["counts"];
}

/** Reads the overview of all queues of a prefix. */
export async function survey(connection: Connection): Promise<Survey> {
  const workers = await listWorkers(connection);
  const names = new Set([...(await listQueues(connection)), ...workers.map(queueNameOf)]);
  const queues: QueueSurvey[] = [];
  for (const name of [...names].sort()) {
    const queue = openQueueNamed(connection, name);
    queues.push({
      name,
      counts: await countJobs(queue),
      workers: workers.filter((worker) => queueNameOf(worker) === name),
    });
    await queue.close();
  }
  const perMinute = await countLastMinute(connection);
  const open = queues.reduce((sum, { counts }) => sum + counts.waiting + counts.active + counts.delayed, 0);
  return {
    queues,
    counters: await readCounters(connection),
    perMinute,
    secondsLeft: open === 0 ? 0 : perMinute === 0 ? null : Math.ceil((open * 60) / perMinute),
  };
}

/** Lists jobs of some states, the oldest first, at most `most` of each state and queue. */
export async function listJobs(
  connection: Connection,
  states: readonly JobState[],
  most: number,
): Promise<readonly JobNote[]> {
  // Redis would take the range 0..-1 for the whole list.
  if (most === 0) return [];
  const notes: JobNote[] = [];
  for (const name of await listQueues(connection)) {
    const queue = openQueueNamed(connection, name);
    for (const state of states) {
      const jobs = await queue.getJobs([state], 0, most - 1, true);
      // A job may end between the list and its reading.
      notes.push(...jobs.filter((job) => job !== undefined).map((job) => describeJob(job, name, state)));
    }
    await queue.close();
  }
  return notes;
}

/**
 * Finds the one job whose name begins with a text, with or without the kind before its last hyphen.
 *
 * @throws {ClusterError} JOB_UNKNOWN if no job or several jobs match
 */
export async function findJob(connection: Connection, start: string): Promise<JobNote> {
  if (start === "") {
    throw new ClusterError("JOB_UNKNOWN", "the name of a job is empty", { hint: "`jobs list` shows the names" });
  }
  const all = await listJobs(connection, JOB_STATES, Number.MAX_SAFE_INTEGER);
  const found = all.filter(({ id }) => id.startsWith(start) || id.slice(id.lastIndexOf("-") + 1).startsWith(start));
  const [first] = found;
  if (first !== undefined && found.length === 1) return first;
  throw new ClusterError(
    "JOB_UNKNOWN",
    first === undefined ? `no job begins with ${start}` : `${found.length} jobs begin with ${start}`,
    {
      hint:
        first === undefined
          ? "a job that has ended is no longer in the queue; `jobs list` shows the others"
          : "write more of its name",
    },
  );
}

/**
 * Cancels jobs. Waiting and failed jobs are removed; a running job is ended by its worker within seconds. The command
 * that sent the job receives the failure JOB_CANCELLED.
 */
export async function cancelJobs(connection: Connection, jobs: readonly JobNote[]): Promise<void> {
  const { redis, prefix } = connection;
  const mark = (id: string) => redis.set(keysOf(prefix).cancelled(id), "1", "EX", KEPT_S);
  const unmarked: string[] = [];
  await forEachQueue(connection, jobs, async (queue, own) => {
    for (const { id } of own) {
      await mark(id).catch((error: unknown) => {
        if (!isFull(error)) throw error;
        unmarked.push(id);
      });
      // A running job is locked and cannot be removed. Its worker finds the mark.
      await queue.remove(id).catch(() => undefined);
    }
  });
  // A full Redis stores no mark, but removes jobs. They leave room for the marks.
  for (const id of unmarked) await mark(id);
}

/** Gives failed jobs new attempts. */
export async function retryJobs(connection: Connection, jobs: readonly JobNote[]): Promise<void> {
  const { redis, prefix } = connection;
  await forEachQueue(connection, jobs, async (queue, own) => {
    for (const { id, state } of own) {
      if (state !== "failed") continue;
      // The mark of a job that was cancelled would end it again.
      await redis.unlink(keysOf(prefix).cancelled(id));
      const job = await queue.getJob(id);
      await job?.retry("failed", { resetAttemptsMade: true, resetAttemptsStarted: true });
    }
  });
}

async function forEachQueue(
  connection: Connection,
  jobs: readonly JobNote[],
  work: (queue: ReturnType<typeof openQueueNamed>, own: readonly JobNote[]) => Promise<void>,
): Promise<void> {
  for (const name of new Set(jobs.map((job) => job.queue))) {
    const queue = openQueueNamed(connection, name);
    await work(
      queue,
      jobs.filter((job) => job.queue === name),
    );
    await queue.close();
  }
}

function describeJob(job: Job<Task>, queue: string, state: JobState): JobNote {
  return {
    id: job.id ?? "",
    queue,
    kind: job.name,
    state,
    attempts: job.attemptsMade,
    takeovers: job.stalledCounter,
    worker: job.processedBy ?? null,
    addedMs: job.timestamp,
    failure: state === "failed" ? readFailure(job.failedReason) : null,
    body: job.data?.body ?? null,
  };
}

/** Names of all queues of a prefix that have ever had a job. */
async function listQueues({ redis, prefix }: Connection): Promise<string[]> {
  const names = new Set<string>();
  for (let cursor = "0"; ; ) {
    const [next, keys] = await redis.scan(cursor, "MATCH", `${prefix}:jobs-*:meta`, "COUNT", 1_000);
    for (const key of keys) names.add(key.slice(prefix.length + 1, -":meta".length));
    cursor = next;
    if (cursor === "0") break;
  }
  return [...names].filter(isQueueName).sort();
}
