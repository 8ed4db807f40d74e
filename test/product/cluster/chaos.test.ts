import { describe, expect, test } from "vitest";
import { runChaos } from "../../helpers/cluster/chaos.ts";
import { NO_REDIS } from "../../helpers/cluster/redis.ts";
import { createBench } from "../research/runs/helpers.ts";

if (NO_REDIS !== undefined) test.skip(`kills are not tested: ${NO_REDIS}`, () => undefined);

// The whole of it, 1,000 jobs on 4 workers, is `npm run test:cluster`.
describe.skipIf(NO_REDIS !== undefined)("a sweep whose workers, command and Redis are killed", () => {
  test.each(["always", "everysec"] as const)("has the table of threads, with a log written %s", async (fsync) => {
    const { folder } = await createBench();
    const options = { folder, jobs: 40, workers: 2, kills: 4, fsync, seed: 1, log: () => undefined };
    const { killed, counters, stored, isEqual } = await runChaos(options);
    expect(isEqual).toBe(true);
    expect(stored).toBe(40);
    expect(killed).toEqual({ worker: 2, command: 1, redis: 1 });
    // Every run was counted once. What Redis lost with its log was made again.
    if (fsync === "always") expect(counters.made).toBe(40);
    expect(counters.twice).toBeLessThanOrEqual(4);
  });
});
