import type { JobResult } from "./execute.ts";
import type { Job } from "./job.ts";
import type { Shift } from "./workerPool.ts";

/** How a job ended: with its result, or over its limit. */
export type JobEnd =
  | { readonly kind: "done"; readonly result: JobResult }
  /** `height` is that of the last block that the job started. */
  | { readonly kind: "timedOut"; readonly height: number };

/**
 * Results of one call of `Crew.run`. They arrive in any order, and count in the order of the jobs. So a call returns
 * the same for any number and speed of workers, unless `isOver` reads a clock.
 */
export class ShiftResults {
  readonly #jobs: readonly Job[];
  readonly #isOver: (first: readonly JobResult[]) => boolean;
  readonly #ends = new Map<number, JobEnd>();
  readonly #first: JobResult[] = [];
  #isClosed = false;

  constructor(jobs: readonly Job[], isOver: (first: readonly JobResult[]) => boolean) {
    this.#jobs = jobs;
    this.#isOver = isOver;
  }

  /** @param at index of the job */
  add(at: number, end: JobEnd): void {
    this.#ends.set(at, end);
  }

  has(at: number): boolean {
    return this.#ends.has(at);
  }

  /** True if every job has a result. */
  isWhole(): boolean {
    return this.#extend().length === this.#jobs.length;
  }

  /** True if no further result counts. Once true, it remains true. */
  isOver(): boolean {
    const first = this.#extend();
    // Results after a case that exceeded its limit do not count.
    this.#isClosed ||= first.length === this.#jobs.length || this.#isTimedOut() || this.#isOver(first);
    return this.#isClosed;
  }

  close(): Shift {
    const results = this.#extend();
    const end = this.#ends.get(results.length);
    if (end?.kind !== "timedOut") return { results };
    return { results, timedOut: { job: this.#jobs[results.length]!, height: end.height } };
  }

  #isTimedOut(): boolean {
    return this.#ends.get(this.#first.length)?.kind === "timedOut";
  }

  /** Adds the results that follow without a gap. */
  #extend(): readonly JobResult[] {
    for (let end = this.#ends.get(this.#first.length); end?.kind === "done"; ) {
      this.#first.push(end.result);
      end = this.#ends.get(this.#first.length);
    }
    return this.#first;
  }
}
