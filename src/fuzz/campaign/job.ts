import { Random } from "../../math/random.ts";
import { countGenes, type FuzzCase } from "../case/fuzzCase.ts";
import type { Pool } from "../corpus/pool.ts";
import { drawCase } from "../draw/drawCase.ts";
import { mutateCase } from "../draw/mutateCase.ts";
import type { SearchProfile } from "./profiles.ts";

/** One case to run, and how. */
export interface Job {
  /** Place in the campaign, from 0. */
  readonly iteration: number;
  readonly given: FuzzCase;
  /** Everything is looked at after every block. */
  readonly thorough: boolean;
  readonly again: boolean;
  readonly restored: boolean;
  readonly metamorphic: boolean;
}

/** The chance of one iteration of a campaign: nothing else decides what it does, but the pool that it starts from. */
export function randomOf(seed: number, iteration: number): Random {
  return Random.ofSeed([seed | 0, Math.floor(seed / 2 ** 32) ^ 0x5eed, iteration | 0, ~seed ^ (iteration << 7)]);
}

export function planJob(seed: number, iteration: number, profile: SearchProfile, pool: Pool): Job {
  const random = randomOf(seed, iteration);
  const most = random.pick(profile.lengths);
  const length = random.between(Math.ceil(most / 2), most);
  const base = random.chance(profile.fresh, 100) ? undefined : pool.pick(random);
  const given =
    base === undefined
      ? drawCase(random, { profile: random.chance(profile.swarm, 100) ? "swarm" : "uniform", length })
      : mutateCase(random, base.given, pool.pick(random)?.given);
  return {
    iteration,
    given,
    thorough: random.chance(profile.thorough, 100),
    again: random.chance(profile.again, 100),
    restored: random.chance(profile.restored, 100),
    metamorphic: random.chance(profile.metamorphic, 100),
  };
}

/** How many times as long a case takes that is looked at so, about. */
const COSTS = { thorough: 8, again: 1, restored: 1, metamorphic: 6 } as const;

/** How long a job takes, about, in genes of a plain one. */
export function costOf({ given, ...job }: Job): number {
  let times = 1;
  for (const name of Object.keys(COSTS) as (keyof typeof COSTS)[]) if (job[name]) times += COSTS[name];
  return countGenes(given) * times;
}

/** Places of jobs, the longest first: who does them together is done at about the same time. */
export function orderByCost(jobs: readonly Job[]): number[] {
  const costs = jobs.map(costOf);
  return jobs.map((_, place) => place).sort((a, b) => costs[b]! - costs[a]! || a - b);
}
