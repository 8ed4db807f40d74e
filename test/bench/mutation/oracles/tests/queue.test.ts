import { join } from "node:path";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { createBenchHandler } from "../../../../../bench/lib/benchHandler.ts";
import { lineOfCopy } from "../../../../../bench/lib/benchTask.ts";
import { createRunners } from "../../../../../bench/mutation/oracles/runners.ts";
import { planTests } from "../../../../../bench/mutation/oracles/tests/planTests.ts";
import type {
  Kill,
  KillJob,
  Reach,
  ReachJob,
  RoundResult,
} from "../../../../../bench/mutation/oracles/tests/testWorker.ts";
import { readAddress } from "../../../../../src/product/cluster/queue/address.ts";
import { connect } from "../../../../../src/product/cluster/queue/connection.ts";
import { startWorker } from "../../../../../src/product/cluster/queue/worker.ts";
import { NO_REDIS, TestRedis } from "../../../../helpers/cluster/redis.ts";
import { makePlantedCopy } from "./plantedCopy.ts";

const HASH = "0123456789abcdef";
const planted = makePlantedCopy();
afterAll(() => planted.remove());

const worker = join(planted.folder, "bench", "mutation", "oracles", "tests", "testWorker.ts");
const copy = { version: "v", mutants: planted.mutants, total: 0, keys: [], folder: planted.folder, hash: HASH, worker };
const settings = { oracle: "tests", drawn: 9, seed: 3, workers: 2, patience: 120 } as const;
const lost = (): never => {
  throw new Error("lost");
};

async function startQueueWorker(url: string): Promise<void> {
  const connection = await connect(readAddress(url));
  const { handler, close } = createBenchHandler({ bench: "mutation-tests", worker });
  const events = { onDone: () => undefined, onFailed: () => undefined, onTrouble: () => undefined };
  const line = lineOfCopy({ bench: "mutation-tests", version: HASH });
  const taker = await startWorker(connection, {
    name: "one",
    line,
    concurrency: 1,
    takeoverMs: 5_000,
    handler,
    events,
  });
  onTestFinished(async () => {
    close();
    await taker.close();
    await connection.close();
  });
}

// Without Redis the results here have nothing to be compared with.
describe.skipIf(NO_REDIS !== undefined)("mutants on a queue", () => {
  test("have the fates that they have without one, and the command names the worker that is missing", async () => {
    const { here } = createRunners(copy, settings);
    const reaches: Reach[] = [];
    const reachJob: ReachJob = { kind: "reach", files: planted.files };
    await here<ReachJob, Reach>({ jobs: [reachJob], lost, onDone: (done) => reaches.push(done) });
    const plan = planTests(reaches[0]!);
    const jobs = [...planted.mutants]
      // The one that hangs takes its ten seconds of CPU time in any run.
      .filter(([number]) => number !== planted.numberOf("false", "true"))
      .map(([mutant]): KillJob => ({ kind: "kill", mutant, rounds: [{ mode: "plain", ...plan(mutant) }] }));
    const redis = await TestRedis.start();
    onTestFinished(() => redis.close());
    const run = async (runner: typeof here) => {
      const fates = new Map<number, unknown>();
      const onDone = ({ results }: Kill, { mutant }: KillJob) => {
        const [{ seconds: _, ...fate }] = results as [RoundResult];
        fates.set(mutant, fate);
      };
      await runner<KillJob, Kill>({ jobs, lost, onDone });
      return jobs.map(({ mutant }) => [planted.mutants.get(mutant)!.key, fates.get(mutant)]);
    };
    const plain = await run(here);
    const queue = { redis: redis.url };
    const said: string[] = [];
    const runners = createRunners(copy, { ...settings, queue, say: (text) => said.push(text) });
    const queued = run(runners.mutants);
    await expect.poll(() => said, { timeout: 20_000 }).toHaveLength(1);
    expect(said[0]).toContain(`node bench/worker.ts mutation-tests 9 3 --redis ${redis.url}`);
    await startQueueWorker(redis.url);
    expect(await queued).toEqual(plain);
    expect(plain.filter(([, fate]) => (fate as RoundResult).killer !== undefined).length).toBeGreaterThan(2);
    expect(plain.filter(([, fate]) => (fate as RoundResult).killer === undefined).length).toBeGreaterThan(1);
  });
});
