import type { Worker } from "node:worker_threads";
import { FuzzError } from "../errors.ts";
import type { JobResult } from "./execute.ts";
import type { Job } from "./job.ts";

/** What came of jobs. */
export interface Shift {
  /** Results of the first jobs, in their order. */
  readonly results: readonly JobResult[];
  /** The first job that did not end in time: no result is behind it. */
  readonly timedOut?: TimedOutJob;
}

/** A job that was given up. */
export interface TimedOutJob {
  readonly job: Job;
  /** Height of the last block that it had begun. */
  readonly height: number;
}

/** Who does the jobs. */
export interface Crew {
  /**
   * Does jobs. Once `isOver` says so no further one is begun.
   *
   * @param isOver is told the results of the first jobs, as far as they are there
   * @param order  places of jobs, in the order in which several are to begin them; as they stand by default
   */
  run(
    jobs: readonly Job[],
    isOver: (first: readonly JobResult[]) => boolean,
    order?: readonly number[],
  ): Promise<Shift>;
  close(): Promise<void>;
}

/** What a thread is given. */
export interface Task {
  readonly job: Job;
  /** Shared memory of one number: the height of the block that is begun stands there. */
  readonly height: Int32Array<SharedArrayBuffer>;
}

/** What a thread says about a job: that it has begun, what came of it, or that the thread cannot do it. */
export type Said =
  | { readonly kind: "begun" }
  | { readonly kind: "done"; readonly result: JobResult }
  | { readonly kind: "failed"; readonly failure: unknown };

/**
 * Threads that do jobs side by side. Also one alone is a thread: a venue, or a check of the user's, that never comes back is
 * seen only from outside.
 *
 * @param jobMs  a job that takes longer is given up, and its thread with it
 * @param create makes a thread that runs `serveJobs`
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
 * Gives a thread one job after the other until there is none.
 *
 * @returns the job that did not end in time, if one did not
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
    let timer: NodeJS.Timeout | undefined;
    const leave = () => {
      clearTimeout(timer);
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
    const onMessage = (said: Said) => {
      clearTimeout(timer);
      // A thread loads everything before its first job, which is not the job's time.
      if (said.kind === "begun") timer = setTimeout(giveUp, jobMs);
      else if (said.kind === "failed") fail(said.failure);
      else {
        keep(said.result);
        give();
      }
    };
    const onExit = (code: number) => fail(new FuzzError("WORKER_LOST", `a thread ended with code ${code}`));
    worker.on("message", onMessage).once("error", fail).once("exit", onExit);
    give();
  });
}
