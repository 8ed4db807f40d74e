import { Pool } from "../corpus/pool.ts";
import { CANARY_NAMES, type CanaryName } from "./canaryNames.ts";
import type { JobResult } from "./execute.ts";
import { planJob } from "./job.ts";
import { SEARCH_PROFILES } from "./profiles.ts";
import type { Crew, TimedOutJob } from "./workerPool.ts";

/** Number of cases in which the search must find a planted fault. */
const CASES = 24;

/**
 * Returns the planted faults that the crew does not find, and the first case that timed out, if any.
 *
 * @param isOver once it returns true, no further fault is tried, and one that was not tried to its end does not count
 */
export async function findBlindSpots(
  crew: Crew,
  isOver: () => boolean,
): Promise<{ readonly blind: CanaryName[]; readonly timedOut?: TimedOutJob }> {
  const blind: CanaryName[] = [];
  const isSeen = (results: readonly JobResult[]) => results.some(({ violation }) => violation !== undefined);
  for (const canary of CANARY_NAMES) {
    const jobs = Array.from({ length: CASES }, (_, iteration) => {
      const job = planJob(1, iteration, SEARCH_PROFILES.smoke, new Pool());
      return { ...job, thorough: true, again: false, restored: false, metamorphic: false, canary };
    });
    const { results, timedOut } = await crew.run(jobs, (first) => isSeen(first) || isOver());
    if (timedOut !== undefined) return { blind, timedOut };
    if (isSeen(results)) continue;
    if (results.length < jobs.length) break;
    blind.push(canary);
  }
  return { blind };
}
