import { Pool } from "../corpus/pool.ts";
import { CANARY_NAMES, type CanaryName } from "./canaryNames.ts";
import type { JobResult } from "./execute.ts";
import { planJob } from "./job.ts";
import { SEARCH_PROFILES } from "./profiles.ts";
import type { Crew, TimedOutJob } from "./workerPool.ts";

/** Cases in which a planted fault has to be found. */
const CASES = 24;

/** Planted faults that a crew does not find; and where it stopped looking, a case that did not end. */
export async function findBlindSpots(
  crew: Crew,
): Promise<{ readonly blind: CanaryName[]; readonly timedOut?: TimedOutJob }> {
  const blind: CanaryName[] = [];
  const isSeen = (results: readonly JobResult[]) => results.some(({ violation }) => violation !== undefined);
  for (const canary of CANARY_NAMES) {
    const jobs = Array.from({ length: CASES }, (_, iteration) => {
      const job = planJob(1, iteration, SEARCH_PROFILES.smoke, new Pool());
      return { ...job, thorough: true, again: false, restored: false, metamorphic: false, canary };
    });
    const { results, timedOut } = await crew.run(jobs, isSeen);
    if (timedOut !== undefined) return { blind, timedOut };
    if (!isSeen(results)) blind.push(canary);
  }
  return { blind };
}
