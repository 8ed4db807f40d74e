import { Random } from "../../../ground/math/random.ts";
import { countGenes, createCase, type FuzzCase } from "../case/fuzzCase.ts";
import type { Pool, StartPoint } from "../corpus/pool.ts";
import { drawCase } from "../draw/drawCase.ts";
import { mutateCase } from "../draw/mutateCase.ts";
import { GENE_WIDTH } from "../genes/choices.ts";
import type { CaseStart } from "../run/startingPoints.ts";
import type { CanaryName } from "./canaryNames.ts";
import type { SearchProfile } from "./profiles.ts";

/** One case and how to run it. */
export interface Job {
  /** Number of the iteration in the campaign, from 0. */
  readonly iteration: number;
  readonly given: FuzzCase;
  /** Block at which checking starts. Default: the first. */
  readonly start?: CaseStart;
  /** True if every check runs after every block; in long cases the expensive ones take turns. */
  readonly thorough: boolean;
  readonly again: boolean;
  readonly restored: boolean;
  readonly metamorphic: boolean;
  /** Fault planted after each block, which the job must find. */
  readonly canary?: CanaryName;
}

/** Random numbers of one iteration. An iteration depends only on them and on the pool it starts from. */
export function randomOf(seed: number, iteration: number): Random {
  return Random.ofSeed([seed | 0, Math.floor(seed / 2 ** 32) ^ 0x5eed, iteration | 0, ~seed ^ (iteration << 7)]);
}

export function planJob(seed: number, iteration: number, profile: SearchProfile, pool: Pool): Job {
  return draw(seed, iteration, profile, pool)!;
}

/** The job of an iteration that draws nothing from the pool, so it is the same for any pool; otherwise undefined. */
export function planFresh(seed: number, iteration: number, profile: SearchProfile): Job | undefined {
  return draw(seed, iteration, profile, undefined);
}

/** @returns undefined if the iteration needs a pool and there is none */
function draw(seed: number, iteration: number, profile: SearchProfile, pool: Pool | undefined): Job | undefined {
  const random = randomOf(seed, iteration);
  const most = random.pick(profile.lengths);
  const length = random.between(Math.ceil(most / 2), most);
  const continues = profile.starts > 0 && random.chance(profile.starts, 100);
  if (continues && pool === undefined) return undefined;
  const point = continues ? pickStart(seed, iteration, pool!) : undefined;
  const isFresh = point === undefined && random.chance(profile.fresh, 100);
  if (point === undefined && !isFresh && pool === undefined) return undefined;
  const base = point !== undefined || isFresh ? undefined : pool!.pick(random);
  const drawKind = () => (random.chance(profile.swarm, 100) ? "swarm" : "uniform");
  const given =
    point !== undefined
      ? continueCase(random, point, drawKind())
      : base !== undefined
        ? mutateCase(random, base.given, pool!.pick(random)?.given)
        : drawCase(random, { profile: drawKind(), length });
  const looks = {
    thorough: random.chance(profile.thorough, 100),
    again: random.chance(profile.again, 100),
    restored: random.chance(profile.restored, 100),
    metamorphic: random.chance(profile.metamorphic, 100),
  };
  // A case that runs twice or with every check starts at its first block.
  const isWhole = Object.values(looks).includes(true);
  if (point === undefined || isWhole) return { iteration, given, ...looks };
  const start = { name: `${point.entry.name} ${point.genes}`, genes: point.genes };
  return { iteration, given, start, ...looks };
}

/**
 * Iterations that share starting points, and the number of points. The venue at a point is computed once, not per
 * iteration.
 */
const SHARED_BY = 48;
const SHARED = 4;

function pickStart(seed: number, iteration: number, pool: Pool): StartPoint | undefined {
  const turn = Math.floor(iteration / SHARED_BY) * SHARED + (iteration % SHARED);
  return pool.pickStart(randomOf(~seed, turn));
}

/** Genes of a tail. A short tail tries many variations at one moment; a long one shows later consequences. */
const TAILS = [40, 160, 600] as const;

/**
 * A case that repeats another up to one moment and then continues: with new genes, or with mutated genes of the other.
 */
function continueCase(random: Random, { entry, genes: count }: StartPoint, kind: "swarm" | "uniform"): FuzzCase {
  const { profile, genes } = entry.given;
  const length = random.pick(TAILS);
  const rest = genes.subarray(count * GENE_WIDTH, (count + length) * GENE_WIDTH);
  const tail =
    rest.length === 0 || random.chance(1, 2)
      ? drawCase(random, { profile: kind, length }).genes
      : mutateCase(random, createCase(profile, rest)).genes;
  const joined = new Uint16Array(count * GENE_WIDTH + tail.length);
  joined.set(genes.subarray(0, count * GENE_WIDTH));
  joined.set(tail, count * GENE_WIDTH);
  return createCase(profile, joined);
}

/** Approximate cost factor of each kind of check. */
const COSTS = { thorough: 8, again: 1, restored: 1, metamorphic: 6 } as const;

/** Approximate cost of a job, in genes of a plain job. */
export function costOf({ given, start, ...job }: Job): number {
  let times = 1;
  for (const name of Object.keys(COSTS) as (keyof typeof COSTS)[]) if (job[name]) times += COSTS[name];
  return (countGenes(given) - (start?.genes ?? 0)) * times;
}

/**
 * Indices of jobs, the longest first, so that parallel workers finish at about the same time.
 *
 * @param needed as many of the first jobs come before the others, which follow in their order
 */
export function orderByCost(jobs: readonly Job[], needed = jobs.length): number[] {
  const costs = jobs.map(costOf);
  const places = [...jobs.keys()];
  const first = places.slice(0, needed).sort((a, b) => costs[b]! - costs[a]! || a - b);
  return [...first, ...places.slice(needed)];
}
