import { setImmediate } from "node:timers/promises";
import type { Worker } from "node:worker_threads";
import { FuzzError } from "../errors.ts";
import { createExecutor, type JobResult, type Setup } from "./execute.ts";
import type { Job } from "./job.ts";

/** Who does the jobs: this thread, or some of their own. */
export interface Crew {
  /**
   * Does jobs, and gives their results in the order of the jobs. Once `isOver` says so no further one is begun: the results
   * are then those of the first ones.
   *
   * @param isOver is told the results of the first jobs, as far as they are there
   * @param order  places of jobs, in the order in which several are to begin them; as they stand by default
   */
  run(
    jobs: readonly Job[],
    isOver: (first: readonly JobResult[]) => boolean,
    order?: readonly number[],
  ): Promise<JobResult[]>;
  close(): Promise<void>;
}

/** @param createWorker starts a thread that runs `serveJobs` with the setup; it is used for more than one worker */
export async function createCrew(workers: number, setup: Setup, createWorker: (setup: Setup) => Worker): Promise<Crew> {
  return workers <= 1 ? createAlone(setup) : createThreads(workers, () => createWorker(setup));
}

async function createAlone(setup: Setup): Promise<Crew> {
  const execute = await createExecutor(setup);
  return {
    async run(jobs, isOver) {
      const results: JobResult[] = [];
      for (const job of jobs) {
        if (isOver(results)) break;
        results.push(execute(job));
        await setImmediate(); // signals and timers get their turn
      }
      return results;
    },
    close: async () => undefined,
  };
}

/** What a thread says about a job. */
export interface Said {
  readonly result?: JobResult;
  readonly failure?: unknown;
}

function createThreads(count: number, create: () => Worker): Crew {
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
      await Promise.all(
        workers.map((worker) => feed(worker, take, (place, result) => (results[place] = result), jobs)),
      );
      return extend();
    },
    async close() {
      await Promise.all(workers.map((worker) => worker.terminate()));
    },
  };
}

/** Gives a thread one job after the other until there is none. */
function feed(
  worker: Worker,
  take: () => Job | undefined,
  keep: (place: number, result: JobResult) => void,
  jobs: readonly Job[],
): Promise<void> {
  const [first] = jobs;
  return new Promise<void>((resolve, reject) => {
    const end = (error?: unknown) => {
      worker.off("message", onMessage).off("error", end).off("exit", onExit);
      if (error === undefined) resolve();
      else reject(error);
    };
    const give = () => {
      const job = take();
      if (job === undefined) end();
      else worker.postMessage(job);
    };
    const onMessage = ({ result, failure }: Said) => {
      if (result === undefined) return end(failure ?? new Error("a thread said nothing"));
      keep(result.iteration - first!.iteration, result);
      give();
    };
    const onExit = (code: number) => end(new FuzzError("WORKER_LOST", `a thread ended with code ${code}`));
    worker.on("message", onMessage).once("error", end).once("exit", onExit);
    give();
  });
}
