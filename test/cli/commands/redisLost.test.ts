import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { callCli } from "../../helpers/cli.ts";
import { startWorker } from "../../helpers/cluster/processes.ts";
import { NO_REDIS, TestRedis } from "../../helpers/cluster/redis.ts";
import { createFolder } from "../../helpers/project.ts";
import { within } from "../../helpers/within.ts";
import { createBench } from "../../product/research/runs/helpers.ts";
import { HEAD } from "../../product/scenario/helpers.ts";

const withRedis = describe.skipIf(NO_REDIS !== undefined);
if (NO_REDIS !== undefined) test.skip(`a lost Redis is not tested: ${NO_REDIS}`, () => undefined);

/** Time for which a command waits for Redis, as its guide has it, ms. */
const AWAY_MS = 300_000;

/** Lets timers of exactly this time run out soon, and no others. Returns whether one was set. */
function shorten(timeMs: number): () => boolean {
  const wait = globalThis.setTimeout;
  let isSet = false;
  const replaced = (work: () => void, ms?: number, ...rest: []) => {
    isSet ||= ms === timeMs;
    return wait(work, ms === timeMs ? 500 : ms, ...rest);
  };
  vi.spyOn(globalThis, "setTimeout").mockImplementation(replaced as typeof setTimeout);
  return () => isSet;
}

/** Calls whose jobs wait for a worker, in a folder of their own. */
const CALLS: readonly (readonly [name: string, prepare: () => Promise<{ folder: string; call: readonly string[] }>])[] =
  [
    [
      "sweep",
      async () => {
        const { folder } = await createBench();
        const data = ["--data", join(folder, "btc.tape"), "--store", join(folder, "store")];
        return { folder, call: ["sweep", join(folder, "turns.js"), ...data, "--grid", "every=2,3"] };
      },
    ],
    [
      "scenario run",
      async () => {
        const folder = createFolder({ "a.yaml": `${HEAD}blocks: [{ transactions: [alice: noop] }]\n` });
        return { folder, call: ["scenario", "run", join(folder, "a.yaml")] };
      },
    ],
  ];

withRedis.each(CALLS)("a Redis that is away for longer than %s waits", (_name, prepare) => {
  test("ends it with one error, and the same command continues when it is back", async () => {
    const { folder, call: words } = await prepare();
    const redis = await TestRedis.start();
    onTestFinished(() => redis.close());
    const call = [...words, "--redis", redis.url];
    const isSet = shorten(AWAY_MS);
    const lost = callCli(...call);
    while (!(await redis.command("KEYS perplab:jobs-*:wait")).includes(":wait")) await sleep(20);
    expect(isSet()).toBe(false);
    await redis.kill();
    const { exitCode, err } = await within("the command", lost);
    vi.restoreAllMocks();
    expect(err).toContain("Redis is away; the command waits for it");
    expect(err).toContain(`error REDIS_LOST redis://127.0.0.1:${redis.port}: Redis was away for 5 minutes`);
    expect(err).toContain("start Redis again; finished jobs are kept, so the same command continues");
    expect(exitCode).toBe(1);
    await redis.start();
    const worker = await startWorker(folder, redis.url, ["--tapes", "."]);
    onTestFinished(() => worker.kill());
    const again = await callCli(...call);
    expect(again.exitCode, again.err).toBe(0);
  });
});
