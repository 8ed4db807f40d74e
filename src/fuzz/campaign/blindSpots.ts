import { Pool } from "../corpus/pool.ts";
import { CANARY_NAMES } from "./canaryNames.ts";
import { createExecutor, type Setup } from "./execute.ts";
import { planJob } from "./job.ts";
import { SEARCH_PROFILES } from "./profiles.ts";

/** Cases in which a planted fault has to be found. */
const CASES = 24;

/** Planted faults that a search with this setup does not find. */
export async function findBlindSpots(setup: Setup): Promise<string[]> {
  const blind: string[] = [];
  for (const canary of CANARY_NAMES) {
    const execute = await createExecutor({ ...setup, canary });
    const pool = new Pool();
    let isFound = false;
    for (let iteration = 0; iteration < CASES && !isFound; iteration++) {
      const job = planJob(1, iteration, SEARCH_PROFILES.smoke, pool);
      isFound =
        execute({ ...job, thorough: true, again: false, restored: false, metamorphic: false }).violation !== undefined;
    }
    if (!isFound) blind.push(canary);
  }
  return blind;
}
