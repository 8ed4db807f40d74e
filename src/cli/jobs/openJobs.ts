import type { JobEngine } from "../../product/jobs/engine.ts";
import { onInterrupt } from "../interrupt.ts";
import type { QueueOptions } from "../runs/queueAddress.ts";
import type { Terminal } from "../terminal.ts";

export interface JobsRequest extends QueueOptions {
  /** Threads of this machine; with one, jobs are made in this thread. Not used with `redis`. */
  readonly workers: number;
}

/** Longest time of one job in a thread, here or on a worker, ms. */
export const JOB_LIMIT_MS = 3_600_000;

/**
 * Opens the engine that a command asks for: the workers of a queue, threads, or this thread.
 *
 * @throws {ClusterError} an address or a Redis that cannot be used
 */
export async function openJobs(terminal: Terminal, { redis, workers, ...options }: JobsRequest): Promise<JobEngine> {
  if (redis !== undefined) return openQueueJobs(terminal, { ...options, redis });
  const { KINDS } = await import("./kinds.ts");
  if (workers <= 1) {
    const { createLocalJobs } = await import("../../product/jobs/localJobs.ts");
    return createLocalJobs(KINDS);
  }
  const { createThreadJobs } = await import("../../product/jobs/threads/threadJobs.ts");
  const { createJobWorker } = await import("./createJobWorker.ts");
  return createThreadJobs({ workers, create: createJobWorker, limitMs: JOB_LIMIT_MS });
}

async function openQueueJobs(
  terminal: Terminal,
  options: QueueOptions & { readonly redis: string },
): Promise<JobEngine> {
  const { connectQueue } = await import("../runs/connectQueue.ts");
  const { readFullLine } = await import("../runs/queueLines.ts");
  const { makeProbe } = await import("../../product/cluster/runs/probe.ts");
  const { createQueueJobs } = await import("../../product/cluster/jobs/queueJobs.ts");
  const line = await readFullLine();
  const probe = await makeProbe();
  const { connection, explain, leave } = await connectQueue(terminal, options, line);
  const engine = createQueueJobs({ connection, shared: { line, probe } });
  const off = onInterrupt(() =>
    terminal.err("stopped; its jobs stay in the queue, and their results for a week: the same command continues"),
  );
  return {
    async run(batch, events) {
      try {
        return await engine.run(batch, events);
      } catch (error) {
        throw await explain(error);
      }
    },
    async close() {
      off();
      leave();
      await engine.close();
    },
  };
}
