import { expect, test } from "vitest";
import { findBlindSpots } from "../../../../src/proof/fuzz/campaign/blindSpots.ts";
import { CANARY_NAMES } from "../../../../src/proof/fuzz/campaign/canaryNames.ts";
import type { JobResult } from "../../../../src/proof/fuzz/campaign/execute.ts";
import type { Crew } from "../../../../src/proof/fuzz/campaign/workerPool.ts";

const held = {} as JobResult;
const broken = { violation: {} } as JobResult;

/** A crew that gives these results to every fault, as far as the caller wants them, and counts its calls. */
function createCrew(results: readonly JobResult[]) {
  const calls: (string | undefined)[] = [];
  const crew: Crew = {
    async run(jobs, isOver) {
      calls.push(jobs[0]?.canary);
      const first: JobResult[] = [];
      while (first.length < jobs.length && !isOver(first)) first.push(results[first.length] ?? held);
      return { results: first };
    },
    close: async () => undefined,
  };
  return { crew, calls };
}

test("a fault that no case shows is a blind spot, and one that a case shows ends its turn", async () => {
  const missed = createCrew([]);
  expect(await findBlindSpots(missed.crew, () => false)).toEqual({ blind: CANARY_NAMES });
  const found = createCrew([held, broken]);
  expect(await findBlindSpots(found.crew, () => false)).toEqual({ blind: [] });
  expect(found.calls).toEqual(CANARY_NAMES);
});

test("when the time is over, no further fault is tried, and the one under way is not called a blind spot", async () => {
  let asked = 0;
  const { crew, calls } = createCrew([]);
  // Each fault has 24 cases, and is asked for before each of them.
  expect(await findBlindSpots(crew, () => ++asked > 30)).toEqual({ blind: CANARY_NAMES.slice(0, 1) });
  expect(calls).toEqual(CANARY_NAMES.slice(0, 2));
});
