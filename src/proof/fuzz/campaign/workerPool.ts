import type { Worker } from "node:worker_threads";
import { FuzzError } from "../errors.ts";
import type { JobResult } from "./execute.ts";
import type { Job } from "./job.ts";
import { limitJob } from "./jobLimit.ts";

/** Results of a round of jobs. */
export interface Shift {
  /** Results of the first jobs, in order. */
  readonly results: readonly JobResult[];
  /** The first job that exceeded its limit. There are no results after it. */
  readonly timedOut?: TimedOutJob;
}

/** A job that was stopped because it exceeded its limit. */
export interface TimedOutJob {
  readonly job: Job;
  /** Height of the last block that it started. */
  readonly height: number;
}

/** Workers that run jobs. */
export interface Crew {
  /**
   * Runs jobs until all are done or `isOver` returns true; then no further job starts.
   *
   * @param isOver receives the results of the first jobs, as far as they are known
   * @param order indices of jobs, in the order in which workers start them; by default the order of `jobs`
   */
  run(
    jobs: readonly Job[],
    isOver: (first: readonly JobResult[]) => boolean,
    order?: readonly number[],
  ): Promise<Shift>;
  close(): Promise<void>;
}

/** Message to a thread. */
export interface Task {
  readonly job: Job;
  /** Shared memory of one number: the height of the block that the thread last started. */
  readonly height: Int32Array<SharedArrayBuffer>;
}

/** Message of a thread about a job: it started, it finished, or it failed. */
export type Reply =
  | { readonly kind: "begun" }
  | { readonly kind: "done"; readonly result: JobResult }
  | { readonly kind: "failed"; readonly failure: unknown };

/**
 * Runs jobs in threads. Even a crew of one uses a thread: a venue or a user's check that never returns can only be
 * stopped from outside.
 *
 * @param jobMs limit of a job in CPU time; a thread that exceeds it is terminated
 * @param create creates a thread that runs `serveJobs`
 */
export function createCrew(count: number, jobMs: number, create: () => Worker): Crew {
  const workers = Array.from({ length: count }, create);
  return {
    async run(jobs, isOver, order) {
      const results = new Array<JobResult | undefined>(jobs.length).fill(undefined);
      const first: JobResult[] = [];
      const extend = () => {
        for (let one = results[first.length]; one !== undefined; one = results[first.length]) first.push(one);
        return first;
      };
      let next = 0;
      const take = () => {
        if (isOver(extend())) return undefined;
        const at = next++;
        return jobs[order?.[at] ?? at];
      };
      const keep = (result: JobResult) => {
        results[result.iteration - jobs[0]!.iteration] = result;
      };
      const ends = await Promise.all(workers.map((worker) => feed(worker, jobMs, take, keep)));
      const [timedOut] = ends.filter((end) => end !== undefined).sort((a, b) => a.job.iteration - b.job.iteration);
      return { results: extend(), ...(timedOut === undefined ? {} : { timedOut }) };
    },
    async close() {
      await Promise.all(workers.map((worker) => worker.terminate()));
    },
  };
}

/**
 * Sends one job after another to a thread until none is left.
 *
 * @returns the job that exceeded its limit, if any
 */
function feed(
  worker: Worker,
  jobMs: number,
  take: () => Job | undefined,
  keep: (result: JobResult) => void,
): Promise<TimedOutJob | undefined> {
  const height = new Int32Array(new SharedArrayBuffer(4));
  return new Promise((resolve, reject) => {
    let current: Job | undefined;
    let endLimit = () => undefined as void;
    const leave = () => {
      endLimit();
      worker.off("message", onMessage).off("error", fail).off("exit", onExit);
    };
    const end = (timedOut?: TimedOutJob) => {
      leave();
      resolve(timedOut);
    };
    const fail = (error: unknown) => {
      leave();
      reject(error);
    };
    const give = () => {
      const job = take();
      if (job === undefined) return end();
      height[0] = 0;
      current = job;
      worker.postMessage({ job, height } satisfies Task);
    };
    const giveUp = () => end({ job: current!, height: Atomics.load(height, 0) });
    const onMessage = (reply: Reply) => {
      endLimit();
      // A thread loads its modules before its first job. That time does not count for the job.
      if (reply.kind === "begun") endLimit = limitJob(worker, jobMs, giveUp);
      else if (reply.kind === "failed") fail(reply.failure);
      else {
        keep(reply.result);
        give();
      }
    };
    const onExit = (code: number) => fail(new FuzzError("WORKER_LOST", `a thread ended with code ${code}`));
    worker.on("message", onMessage).once("error", fail).once("exit", onExit);
    give();
  });
}
