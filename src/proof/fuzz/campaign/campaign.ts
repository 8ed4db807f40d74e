import type { Nearest } from "../../invariants/watch.ts";
import type { FuzzCase } from "../case/fuzzCase.ts";
import { writeCase } from "../case/writeCase.ts";
import { nameOfCase } from "../corpus/corpusFolder.ts";
import { Pool } from "../corpus/pool.ts";
import { Coverage } from "../feedback/coverage.ts";
import type { FuzzViolation } from "../run/violation.ts";
import { DigestChain } from "./digests.ts";
import type { JobResult } from "./execute.ts";
import { type Job, planJob } from "./job.ts";
import type { SearchProfile } from "./profiles.ts";

/** Iterations that start from the same pool. Part of what a seed means: not to be changed by the number of workers. */
const ROUND = 48;

/** A violation and the case that showed it. */
export interface Found {
  readonly iteration: number;
  readonly given: FuzzCase;
  readonly violation: FuzzViolation;
}

/** The nearest that any case came to breaking an invariant, and which. */
export interface NearestCase extends Nearest {
  readonly iteration: number;
}

/** A case that was taken into the pool. */
export interface Taken {
  readonly name: string;
  readonly given: FuzzCase;
  readonly result: JobResult;
  readonly news: number;
}

/**
 * What a campaign knows: what was reached, the cases worth going on from, what was found. It plans rounds of jobs and
 * takes their results in order, so that nothing depends on who did them, or how fast.
 */
export class Campaign {
  readonly seed: number;
  readonly profile: SearchProfile;
  readonly coverage: Coverage = new Coverage();
  readonly pool: Pool = new Pool();
  digests: DigestChain = new DigestChain();
  readonly met: Map<string, number> = new Map();
  /** The nearest that any case came to breaking each invariant. */
  readonly nearest: Map<string, NearestCase> = new Map();
  /** Cases that it begins with, by name: its first iterations. */
  readonly start: readonly (readonly [string, FuzzCase])[];
  iteration = 0;
  blocks = 0;
  /** Time that it took so far: for figures only. */
  spentMs = 0;

  constructor(seed: number, profile: SearchProfile, start: readonly (readonly [string, FuzzCase])[] = []) {
    this.seed = seed;
    this.profile = profile;
    this.start = start;
  }

  get transactions(): number {
    return this.digests.transactions;
  }

  /** The jobs of the next round. */
  plan(): Job[] {
    return Array.from({ length: ROUND }, (_, at) => {
      const iteration = this.iteration + at;
      const known = this.start[iteration]?.[1];
      if (known === undefined) return planJob(this.seed, iteration, this.profile, this.pool);
      return { iteration, given: known, thorough: false, again: false, restored: false, metamorphic: false };
    });
  }

  /** Takes the results of a round, in their order, up to `most` transactions in all. */
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
      // A case that fails would only find the same again.
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

/** A case that reached something new is begun with at so many moments, the last ones. */
const STARTS_MOST = 4;
/** Cases do not grow beyond so many genes by going on. */
const START_MOST = 16_000;

/** Genes behind which places were reached that nobody had reached. */
function startsOf({ behind }: JobResult, places: readonly number[]): number[] {
  const starts = new Set(places.map((at) => behind[at]!).filter((genes) => genes > 0 && genes <= START_MOST));
  return [...starts].sort((a, b) => a - b).slice(-STARTS_MOST);
}

function placesOf(reached: Uint32Array): Uint16Array {
  return Uint16Array.from({ length: reached.length / 2 }, (_, at) => reached[at * 2]!);
}
