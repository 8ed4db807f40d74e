import type { Nearest } from "../../invariants/machinery/watching/watch.ts";
import type { FuzzCase } from "../case/fuzzCase.ts";
import { writeCase } from "../case/writeCase.ts";
import { nameOfCase } from "../corpus/corpusFolder.ts";
import { Pool } from "../corpus/pool.ts";
import { Coverage } from "../feedback/coverage.ts";
import type { FuzzViolation } from "../run/violation.ts";
import { DigestChain } from "./digests.ts";
import type { JobResult } from "./execute.ts";
import { type Job, planFresh, planJob } from "./job.ts";
import type { SearchProfile } from "./profiles.ts";

/**
 * Iterations that start from the same pool. Part of the meaning of a seed, so it does not depend on the number of
 * workers.
 */
const ROUND = 48;

/** A violation and the case that triggered it. */
export interface Found {
  readonly iteration: number;
  readonly given: FuzzCase;
  readonly violation: FuzzViolation;
}

/** The smallest slack of any invariant in any case, and that invariant. */
export interface NearestCase extends Nearest {
  readonly iteration: number;
}

/** A case that was added to the pool. */
export interface Taken {
  readonly name: string;
  readonly given: FuzzCase;
  readonly result: JobResult;
  readonly news: number;
}

/**
 * State of a campaign: the places reached, the pool of cases, the failures. It plans rounds of jobs and merges their
 * results in order, so the outcome depends neither on the worker nor on its speed.
 */
export class Campaign {
  readonly seed: number;
  readonly profile: SearchProfile;
  readonly coverage: Coverage = new Coverage();
  readonly pool: Pool = new Pool();
  digests: DigestChain = new DigestChain();
  readonly met: Map<string, number> = new Map();
  /** The smallest slack of each invariant over all cases. */
  readonly nearest: Map<string, NearestCase> = new Map();
  /** Named cases that run in the first iterations. */
  readonly start: readonly (readonly [string, FuzzCase])[];
  /** Jobs that `planAhead` returned, by their iterations. */
  readonly #early = new Map<number, Job>();
  iteration = 0;
  blocks = 0;
  /** Time spent so far. Used for figures only. */
  spentMs = 0;

  constructor(seed: number, profile: SearchProfile, start: readonly (readonly [string, FuzzCase])[] = []) {
    this.seed = seed;
    this.profile = profile;
    this.start = start;
  }

  get transactions(): number {
    return this.digests.transactions;
  }

  /** Returns the jobs of the next round. */
  plan(): Job[] {
    for (const iteration of this.#early.keys()) if (iteration < this.iteration) this.#early.delete(iteration);
    return Array.from({ length: ROUND }, (_, at) => {
      const iteration = this.iteration + at;
      return (
        this.#early.get(iteration) ??
        this.#planStart(iteration) ??
        planJob(this.seed, iteration, this.profile, this.pool)
      );
    });
  }

  /**
   * Returns jobs of the round after the next that do not depend on the results of the next one. The following call of
   * `plan` returns the same objects.
   */
  planAhead(): Job[] {
    const jobs: Job[] = [];
    for (let at = ROUND; at < 2 * ROUND; at++) {
      const iteration = this.iteration + at;
      const job = this.#planStart(iteration) ?? planFresh(this.seed, iteration, this.profile);
      if (job === undefined) continue;
      this.#early.set(iteration, job);
      jobs.push(job);
    }
    return jobs;
  }

  #planStart(iteration: number): Job | undefined {
    const given = this.start[iteration]?.[1];
    if (given === undefined) return undefined;
    return { iteration, given, thorough: false, again: false, restored: false, metamorphic: false };
  }

  /** Merges the results of a round in order, until the campaign has `most` transactions in all. */
  take(jobs: readonly Job[], results: readonly JobResult[], most: number): { found: Found[]; taken: Taken[] } {
    const found: Found[] = [];
    const taken: Taken[] = [];
    for (const [at, result] of results.entries()) {
      if (this.transactions >= most) break;
      const { given } = jobs[at]!;
      this.iteration++;
      this.blocks += result.blocks;
      this.digests.add(result);
      for (const [id, count] of result.met) this.met.set(id, (this.met.get(id) ?? 0) + count);
      const { iteration, violation } = result;
      for (const [id, { distance, height }] of result.nearest) {
        if (distance < (this.nearest.get(id)?.distance ?? Number.POSITIVE_INFINITY))
          this.nearest.set(id, { distance, iteration, height });
      }
      if (violation !== undefined) found.push({ iteration, given, violation });
      const one = this.#merge(given, result);
      // A mutant of a failing case would only find the same failure again.
      if (one !== undefined && violation === undefined) taken.push(one);
    }
    return { found, taken };
  }

  #merge(given: FuzzCase, result: JobResult): Taken | undefined {
    const { buckets: news, places } = this.coverage.merge(result.reached);
    if (news === 0) return undefined;
    const name = nameOfCase(writeCase(given));
    if (result.violation === undefined)
      this.pool.add({ name, given, places: placesOf(result.reached), starts: startsOf(result, places) });
    return { name, given, result, news };
  }
}

/** Later cases start from at most this many moments of a case that reached something new: its last ones. */
const STARTS_MOST = 4;
/** Cases that continue another case have at most this many genes. */
const START_MOST = 16_000;

/** Gene counts after which the case reached places that no case had reached before. */
function startsOf({ reachedAt }: JobResult, places: readonly number[]): number[] {
  const starts = new Set(places.map((at) => reachedAt[at]!).filter((genes) => genes > 0 && genes <= START_MOST));
  return [...starts].sort((a, b) => a - b).slice(-STARTS_MOST);
}

function placesOf(reached: Uint32Array): Uint16Array {
  return Uint16Array.from({ length: reached.length / 2 }, (_, at) => reached[at * 2]!);
}
