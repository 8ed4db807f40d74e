import type { Worker } from "node:worker_threads";
import { FuzzError } from "../errors.ts";
import type { JobResult } from "./execute.ts";
import type { Job } from "./job.ts";
import { limitJob } from "./jobLimit.ts";
import { type JobEnd, ShiftResults } from "./shiftResults.ts";

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

/** In which order workers start jobs. It never decides a result. */
export interface ShiftPlan {
  /** Indices of jobs, in the order of their starts; by default the order of the jobs. */
  readonly order?: readonly number[];
  /**
   * Jobs of the next call. A worker that would be idle starts them. The next call returns their results if it has the
   * same objects among its jobs.
   */
  readonly ahead?: readonly Job[];
}

/** Workers that run jobs. */
export interface Crew {
  /**
   * Runs jobs until all are done or `isOver` returns true; then no further job starts. One call at a time.
   *
   * @param isOver receives the results of the first jobs, as far as they are known
   */
  run(jobs: readonly Job[], isOver: (first: readonly JobResult[]) => boolean, plan?: ShiftPlan): Promise<Shift>;
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
  return new ThreadCrew(count, jobMs, create);
}

/** One call of `Crew.run`. */
interface Call {
  readonly results: ShiftResults;
  /** Index of each job. */
  readonly indices: ReadonlyMap<Job, number>;
  /** Jobs that have not started, in order. */
  readonly open: Job[];
  /** Jobs of the next call that have not started. */
  readonly ahead: Job[];
  resolve(shift: Shift): void;
  reject(error: unknown): void;
}

class ThreadCrew implements Crew {
  readonly #jobMs: number;
  readonly #create: () => Worker;
  readonly #threads = new Set<Worker>();
  readonly #idle: Worker[];
  /** Threads that are missing because a job exceeded its limit. */
  #missing = 0;
  readonly #running = new Set<Job>();
  /** Jobs that no call has asked for yet. */
  readonly #early = new Map<Job, JobEnd>();
  #call: Call | undefined;
  #failure: { readonly error: unknown } | undefined;

  constructor(count: number, jobMs: number, create: () => Worker) {
    this.#jobMs = jobMs;
    this.#create = create;
    this.#idle = Array.from({ length: count }, () => this.#open());
  }

  run(jobs: readonly Job[], isOver: (first: readonly JobResult[]) => boolean, plan: ShiftPlan = {}): Promise<Shift> {
    const { order = [...jobs.keys()], ahead = [] } = plan;
    const results = new ShiftResults(jobs, isOver);
    for (const [at, job] of jobs.entries()) {
      const end = this.#early.get(job);
      if (end !== undefined) results.add(at, end);
    }
    const isNew = (job: Job) => !this.#early.has(job) && !this.#running.has(job);
    const open = order.filter((at) => isNew(jobs[at]!)).map((at) => jobs[at]!);
    const later = ahead.filter(isNew);
    for (const job of this.#early.keys()) if (!ahead.includes(job)) this.#early.delete(job);
    return new Promise((resolve, reject) => {
      const indices = new Map(jobs.map((job, at) => [job, at]));
      this.#call = { results, indices, open, ahead: later, resolve, reject };
      this.#advance();
    });
  }

  async close(): Promise<void> {
    this.#fail(new FuzzError("WORKER_LOST", "the threads were ended"));
    await Promise.all([...this.#threads].map((thread) => this.#end(thread)));
  }

  /** Gives jobs to idle threads, and ends the call if no further result counts. */
  #advance(): void {
    const call = this.#call;
    if (call === undefined) return;
    const { results, open, ahead } = call;
    if (this.#failure !== undefined) {
      this.#call = undefined;
      call.reject(this.#failure.error);
      return;
    }
    while (!results.isOver()) {
      const job = this.#isFree() ? (open.shift() ?? ahead.shift()) : undefined;
      if (job === undefined) return;
      this.#start(job);
    }
    // After a call that was cut short there is no next one.
    while (results.isWhole() && ahead.length > 0 && this.#isFree()) this.#start(ahead.shift()!);
    this.#call = undefined;
    call.resolve(results.close());
  }

  #isFree(): boolean {
    return this.#idle.length + this.#missing > 0;
  }

  #start(job: Job): void {
    const thread = this.#idle.shift() ?? this.#replace();
    this.#running.add(job);
    const height = new Int32Array(new SharedArrayBuffer(4));
    let endLimit = () => undefined as void;
    const end = (how: JobEnd) => {
      endLimit();
      thread.off("message", onMessage).off("exit", onExit);
      this.#running.delete(job);
      const at = this.#call?.indices.get(job);
      if (at === undefined) this.#early.set(job, how);
      else this.#call!.results.add(at, how);
      this.#advance();
    };
    const giveUp = () => {
      void this.#end(thread);
      this.#missing++;
      end({ kind: "timedOut", height: Atomics.load(height, 0) });
    };
    // The timer of a job that was still running when its thread ended would keep the process alive.
    const onExit = () => endLimit();
    const onMessage = (reply: Reply) => {
      endLimit();
      // A thread loads its modules before its first job. That time does not count for the job.
      if (reply.kind === "begun") endLimit = limitJob(thread, this.#jobMs, giveUp);
      else if (reply.kind === "failed") this.#fail(reply.failure);
      else {
        this.#idle.push(thread);
        end({ kind: "done", result: reply.result });
      }
    };
    thread.on("message", onMessage).on("exit", onExit);
    thread.postMessage({ job, height } satisfies Task);
  }

  #open(): Worker {
    const thread = this.#create();
    this.#threads.add(thread);
    // A thread that was ended on purpose is no failure.
    const fail = (error: unknown) => this.#threads.has(thread) && this.#fail(error);
    thread.on("error", fail);
    thread.on("exit", (code) => fail(new FuzzError("WORKER_LOST", `a thread ended with code ${code}`)));
    return thread;
  }

  #replace(): Worker {
    this.#missing--;
    return this.#open();
  }

  /** The failure of a thread ends the call, or the next call if there is none. */
  #fail(error: unknown): void {
    this.#failure ??= { error };
    this.#advance();
  }

  async #end(thread: Worker): Promise<void> {
    this.#threads.delete(thread);
    await thread.terminate();
  }
}
