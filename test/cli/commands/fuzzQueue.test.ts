import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import { readAddress } from "../../../src/product/cluster/queue/address.ts";
import { type Connection, connect } from "../../../src/product/cluster/queue/connection.ts";
import { readCounters } from "../../../src/product/cluster/queue/results.ts";
import { callCli } from "../../helpers/cli.ts";
import { CliProcess, startWorker } from "../../helpers/cluster/processes.ts";
import { NO_REDIS, TestRedis } from "../../helpers/cluster/redis.ts";
import { createFolder } from "../../helpers/project.ts";
import { within } from "../../helpers/within.ts";

const withRedis = describe.skipIf(NO_REDIS !== undefined);
if (NO_REDIS !== undefined) test.skip(`searches on a queue are not tested: ${NO_REDIS}`, () => undefined);

const SEARCH = ["fuzz", "run", "--seed", "5", "--tx", "6000", "--format", "json"];

async function open(): Promise<{ redis: TestRedis; connection: Connection; folder: string }> {
  const redis = await TestRedis.start();
  onTestFinished(() => redis.close());
  const connection = await connect(readAddress(redis.url));
  onTestFinished(() => connection.close());
  return { redis, connection, folder: createFolder() };
}

async function openWorker(folder: string, { url }: TestRedis, concurrency: number): Promise<CliProcess> {
  const home = join(folder, `worker${concurrency}`);
  mkdirSync(home, { recursive: true });
  const worker = await startWorker(home, url, ["--takeover", "2s", "--concurrency", `${concurrency}`]);
  onTestFinished(() => worker.kill());
  return worker;
}

/** Starts a search that writes a report, and later kills it if the test has not waited for its end. */
function start(folder: string, name: string, ...words: string[]) {
  const command = new CliProcess(folder, [...SEARCH, "--out", `${name}.json`, ...words]);
  onTestFinished(() => command.kill());
  return command;
}

/** The report of a search that has ended, without its time. */
async function reportOf(folder: string, name: string, command: CliProcess) {
  const status = await command.ended;
  const { seconds, ...report } = JSON.parse(readFileSync(join(folder, `${name}.json`), "utf8"));
  expect(seconds, command.err).toBeGreaterThan(0);
  return { status, ...report };
}

withRedis("a search with --redis", () => {
  test("has the report of threads with one worker, with two, and after kills; finished cases are not run again", async () => {
    const { redis, connection, folder } = await open();
    const at = ["--redis", redis.url];
    const threads = await reportOf(folder, "threads", start(folder, "threads"));
    expect(threads).toMatchObject({
      seed: 5,
      transactions: expect.any(Number),
      digest: expect.stringMatching(/^\w{16}/),
    });
    const worker = await openWorker(folder, redis, 1);
    expect(await reportOf(folder, "one", start(folder, "one", ...at))).toEqual(threads);
    // The same search again, without a worker: all results are there, or the command would wait.
    await worker.kill();
    const { made } = await readCounters(connection);
    expect(made).toBeGreaterThanOrEqual(20);
    expect(await reportOf(folder, "again", start(folder, "again", ...at))).toEqual(threads);
    expect((await readCounters(connection)).made).toBe(made);

    await connection.redis.flushall();
    const first = await openWorker(folder, redis, 1);
    await openWorker(folder, redis, 2);
    const killed = start(folder, "killed", ...at);
    const madeMost = async (most: number) => {
      while ((await readCounters(connection)).made < most) await sleep(5);
    };
    await madeMost(5);
    await first.kill();
    await madeMost(20);
    await killed.kill();
    expect(await reportOf(folder, "two", start(folder, "two", ...at))).toEqual(threads);
  });

  test("finds a planted fault with the same failures as threads, by the model, too", async () => {
    const { redis, folder } = await open();
    await openWorker(folder, redis, 2);
    const own = ["--invariants", "conservation", "--model", "--canary", "freeUnit", "--fail-fast"];
    const threads = await reportOf(folder, "t", start(folder, "t", ...own));
    expect(threads).toMatchObject({ status: 1, verdict: "violated" });
    const queue = await reportOf(folder, "q", start(folder, "q", ...own, "--redis", redis.url));
    expect(queue).toEqual(threads);
  });

  // The profile `smoke` tries its planted faults first.
  test.each(["deep", "smoke"])(
    "of profile %s says that no worker has answered, and ends with its time",
    async (name) => {
      const { redis, folder } = await open();
      const command = new CliProcess(folder, ["fuzz", "run", "--profile", name, "--time", "6s", "--redis", redis.url]);
      onTestFinished(() => command.kill());
      await command.says("waiting: no worker has answered for perplab");
      await command.says(`to start one: perplab worker --redis ${redis.url}`);
      expect(await within("the search", command.ended, 120_000)).toBe(3);
      expect(command.err).toContain("SEARCH_VACUOUS");
    },
  );
});

const REDIS = ["--redis", "redis://127.0.0.1:1"];

test.each([
  ["--workers", ["--workers", "2"]],
  ["--strategy", ["--strategy", "trend"]],
  ["--user-invariants", ["--user-invariants", "own.ts"]],
])("%s is refused with --redis, by name", async (place, words) => {
  const { exitCode, err } = await callCli("fuzz", "run", "--failures", createFolder(), ...words, ...REDIS);
  expect(err).toContain(`error OPTION_INVALID ${place}: `);
  expect(err).toContain("so it cannot be used with --redis");
  expect(exitCode).toBe(2);
});

test("a campaign with modules of the user's own is refused, too", async () => {
  const folder = createFolder();
  const module = join(folder, "own.ts");
  writeFileSync(
    module,
    'import { defineInvariant } from "perplab/invariants";\n' +
      'export default defineInvariant({ id: "own", sentence: "Nothing.", sweep: () => undefined });\n',
  );
  const corpus = ["--corpus", join(folder, "corpus"), "--seed", "1"];
  await callCli("fuzz", "run", "--tx", "100", ...corpus, "--user-invariants", module);
  const { err } = await callCli("fuzz", "run", "--tx", "200", ...corpus, "--resume", ...REDIS);
  expect(err).toContain("error OPTION_INVALID --user-invariants: workers do not have modules of your own");
});
