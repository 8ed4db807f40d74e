import { Random } from "../../../ground/math/random.ts";
import { countGenes, createCase, type FuzzCase } from "../case/fuzzCase.ts";
import type { Pool, StartPoint } from "../corpus/pool.ts";
import { drawCase } from "../draw/drawCase.ts";
import { mutateCase } from "../draw/mutateCase.ts";
import { GENE_WIDTH } from "../genes/choices.ts";
import type { CaseStart } from "../run/startingPoints.ts";
import type { CanaryName } from "./canaryNames.ts";
import type { SearchProfile } from "./profiles.ts";

/** One case to run, and how. */
export interface Job {
  /** Place in the campaign, from 0. */
  readonly iteration: number;
  readonly given: FuzzCase;
  /** Where looking begins; from the beginning by default. */
  readonly start?: CaseStart;
  /** Everything is looked at after every block. */
  readonly thorough: boolean;
  readonly again: boolean;
  readonly restored: boolean;
  readonly metamorphic: boolean;
  /** A fault is planted behind each block, and has to be found. */
  readonly canary?: CanaryName;
}

/** The chance of one iteration of a campaign: nothing else decides what it does, but the pool that it starts from. */
export function randomOf(seed: number, iteration: number): Random {
  return Random.ofSeed([seed | 0, Math.floor(seed / 2 ** 32) ^ 0x5eed, iteration | 0, ~seed ^ (iteration << 7)]);
}

export function planJob(seed: number, iteration: number, profile: SearchProfile, pool: Pool): Job {
  const random = randomOf(seed, iteration);
  const most = random.pick(profile.lengths);
  const length = random.between(Math.ceil(most / 2), most);
  const point = profile.starts > 0 && random.chance(profile.starts, 100) ? pickStart(seed, iteration, pool) : undefined;
  const base = point !== undefined || random.chance(profile.fresh, 100) ? undefined : pool.pick(random);
  const drawKind = () => (random.chance(profile.swarm, 100) ? "swarm" : "uniform");
  const given =
    point !== undefined
      ? goOn(random, point, drawKind())
      : base !== undefined
        ? mutateCase(random, base.given, pool.pick(random)?.given)
        : drawCase(random, { profile: drawKind(), length });
  const looks = {
    thorough: random.chance(profile.thorough, 100),
    again: random.chance(profile.again, 100),
    restored: random.chance(profile.restored, 100),
    metamorphic: random.chance(profile.metamorphic, 100),
  };
  // What is done twice, or with everything looked at, is a whole case.
  const isWhole = Object.values(looks).includes(true);
  if (point === undefined || isWhole) return { iteration, given, ...looks };
  const start = { name: `${point.entry.name} ${point.genes}`, genes: point.genes };
  return { iteration, given, start, ...looks };
}

/** Iterations that share their starting points, and how many they have: what leads to one is run once, not each time. */
const SHARED_BY = 48;
const SHARED = 4;

function pickStart(seed: number, iteration: number, pool: Pool): StartPoint | undefined {
  const turn = Math.floor(iteration / SHARED_BY) * SHARED + (iteration % SHARED);
  return pool.pickStart(randomOf(~seed, turn));
}

/** Genes of a tail: short ones try much at one moment, longer ones see what comes of it. */
const TAILS = [40, 160, 600] as const;

/** A case that begins as another one and goes on from a moment of it: in a new way, or in a way like the other's. */
function goOn(random: Random, { entry, genes: count }: StartPoint, kind: "swarm" | "uniform"): FuzzCase {
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

/** How many times as long a case takes that is looked at so, about. */
const COSTS = { thorough: 8, again: 1, restored: 1, metamorphic: 6 } as const;

/** How long a job takes, about, in genes of a plain one. */
export function costOf({ given, start, ...job }: Job): number {
  let times = 1;
  for (const name of Object.keys(COSTS) as (keyof typeof COSTS)[]) if (job[name]) times += COSTS[name];
  return (countGenes(given) - (start?.genes ?? 0)) * times;
}

/** Places of jobs, the longest first: who does them together is done at about the same time. */
export function orderByCost(jobs: readonly Job[]): number[] {
  const costs = jobs.map(costOf);
  return jobs.map((_, place) => place).sort((a, b) => costs[b]! - costs[a]! || a - b);
}
