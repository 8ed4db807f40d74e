/** Jobs of a bench on a queue in Redis: the same jobs and results as `runJobs`, by workers of `bench/worker.ts`. */
import { connectQueue } from "../../src/cli/runs/connectQueue.ts";
import type { Content } from "../../src/product/cluster/queue/contents.ts";
import { Coordinator } from "../../src/product/cluster/queue/coordinator.ts";
import { deliver, Hints } from "../../src/product/cluster/queue/deliver.ts";
import { ClusterError, type ClusterErrorCode } from "../../src/product/cluster/queue/errors.ts";
import type { Outcome } from "../../src/product/cluster/queue/task.ts";
import { type BenchCopy, createBenchTask, LOST, lineOfCopy, TIMEOUT } from "./benchTask.ts";
import type { JobsOptions } from "./jobs.ts";

/** Where a queue is, as a command has it. */
export interface QueuePlace {
  readonly redis: string;
  readonly redisPrefix?: string;
}

export interface QueuedJobsOptions<Job, Done> extends Omit<JobsOptions<Job, Done>, "worker" | "workers"> {
  readonly copy: BenchCopy;
  readonly queue: QueuePlace;
  /** Texts that the jobs name by their hash. They are in Redis until the jobs have ended. */
  readonly contents?: readonly Content[];
  /** Where remarks on Redis and on workers go. Default: standard error. */
  readonly say?: (text: string) => void;
}

/**
 * Runs every job. The same jobs after a stop take the results that are there.
 *
 * @throws {ClusterError} a Redis that cannot be used, or what ends every job
 */
export async function runQueuedJobs<Job, Done>(options: QueuedJobsOptions<Job, Done>): Promise<void> {
  const { copy, queue, jobs, contents = [], patience, envOf, onDone, lost, say = console.error } = options;
  const { bench, words = [] } = copy;
  const line = lineOfCopy(copy);
  const formatStart = (address: readonly string[]) => ["node bench/worker.ts", bench, ...words, ...address].join(" ");
  const { connection, explain, leave } = await connectQueue({ err: say }, queue, line, formatStart);
  const hints = new Hints();
  const coordinator = new Coordinator(connection, line, (id) => hints.add(id));
  const tasks = jobs.map((job) => createBenchTask(line, { bench, job, env: envOf?.(job), patience }));
  try {
    await coordinator.keep(...contents);
    const delivery = deliver(coordinator, hints, tasks, {
      onDone(outcome, at) {
        const job = jobs[at]!;
        const result = readOutcome<Done>(tasks[at]!.id, outcome);
        onDone(typeof result === "string" ? lost(job, result) : result.done, job);
      },
    });
    for await (const _ of delivery);
    await coordinator.drop();
  } catch (error) {
    throw await explain(error);
  } finally {
    leave();
    await coordinator.close();
    await connection.close();
  }
}

/** A result as text, with the name of its task. */
export function writeDone(id: string, done: unknown): string {
  return JSON.stringify({ id, done });
}

/**
 * Reads how a job ended.
 *
 * @throws {ClusterError} a failure that is not of this job alone, or the result of another job
 */
export function readOutcome<Done>(id: string, outcome: Outcome): { readonly done: Done } | "timeout" | "crash" {
  if (outcome.kind === "failed") {
    const { code, message, place, hint } = outcome;
    if (code === TIMEOUT) return "timeout";
    if (code === LOST) return "crash";
    throw new ClusterError(code as ClusterErrorCode, message, { place, hint });
  }
  const { id: found, done } = JSON.parse(outcome.text) as { readonly id: string; readonly done: Done };
  if (found === id) return { done };
  throw new ClusterError("JOB_MALFORMED", `the queue has the result of another job under the name of ${id}`, {
    hint: "use a Redis of your own: a program that may write to it decides the results",
  });
}
