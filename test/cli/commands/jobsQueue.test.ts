import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import { readAddress } from "../../../src/product/cluster/queue/address.ts";
import { type Connection, connect } from "../../../src/product/cluster/queue/connection.ts";
import { readCounters } from "../../../src/product/cluster/queue/results.ts";
import { callCli } from "../../helpers/cli.ts";
import { CliProcess, startWorker } from "../../helpers/cluster/processes.ts";
import { NO_REDIS, TestRedis } from "../../helpers/cluster/redis.ts";
import { createFolder, projectRoot } from "../../helpers/project.ts";
import { HEAD } from "../../product/scenario/helpers.ts";

// Goal: `monte-carlo` and `scenario run` give the same with threads, one worker and four. Method: every command is a
// process, and what it prints, writes and ends with is compared, but for the times of scenarios in JUnit's format.

const withRedis = describe.skipIf(NO_REDIS !== undefined);
if (NO_REDIS !== undefined) test.skip(`jobs on a queue are not tested: ${NO_REDIS}`, () => undefined);

const BARS = join(projectRoot, "data/BTC-PERP-klines-1h-2024.csv.gz");
const GOOD = `# What holds.\n${HEAD}rules: [ORD-1]\nblocks:\n  - transactions:\n      - alice: noop\n    expect: { insurance: "0" }\n`;

interface Bench {
  readonly redis: TestRedis;
  readonly connection: Connection;
  readonly folder: string;
}

async function open(): Promise<Bench> {
  const redis = await TestRedis.start();
  onTestFinished(() => redis.close());
  const connection = await connect(readAddress(redis.url));
  onTestFinished(() => connection.close());
  return { redis, connection, folder: createFolder() };
}

async function openWorker({ folder, redis }: Bench, name: string, ...words: string[]): Promise<CliProcess> {
  const home = join(folder, name);
  mkdirSync(home, { recursive: true });
  const worker = await startWorker(home, redis.url, ["--takeover", "2s", "--concurrency", "1", ...words]);
  onTestFinished(() => worker.kill());
  return worker;
}

function start(folder: string, ...words: string[]): CliProcess {
  const command = new CliProcess(folder, words);
  onTestFinished(() => command.kill());
  return command;
}

/** What a command that writes a page and a document printed, wrote and ended with. */
async function resultOf({ folder }: Bench, call: readonly string[], ...how: string[]) {
  const command = start(folder, ...call, ...how);
  const status = await command.ended;
  const written = call.flatMap((word) => (/^out\./.test(word) ? [readFileSync(join(folder, word), "utf8")] : []));
  return { status, out: command.out, written, err: command.err };
}

/** The same, without what is on standard error: only it names threads and workers. */
async function sameOf(bench: Bench, call: readonly string[], ...how: string[]) {
  const { err: _err, ...same } = await resultOf(bench, call, ...how);
  return same;
}

async function createReport(folder: string): Promise<void> {
  const words = ["backtest", "trend", "--data", BARS, "--to", "2024-04-01", "--param", "fast=4", "slow=12"];
  const command = new CliProcess(folder, [...words, "--out", "report.json"]);
  expect(await command.ended, command.err).toBe(0);
}

/** Some files of each end: passed, failed, and not able to run; one includes another. */
function createScenarios(folder: string): void {
  mkdirSync(join(folder, "files/lib"), { recursive: true });
  const write = (name: string, text: string) => writeFileSync(join(folder, "files", name), text);
  write("lib/head.yaml", HEAD);
  write("bad.yaml", GOOD.replace('insurance: "0"', 'insurance: "1"'));
  write("broken.yaml", `${HEAD}blocs: []\n`);
  write("including.yaml", "include: [lib/head.yaml]\nblocks:\n  - transactions:\n      - alice: noop\n");
  write("lost.yaml", `include: [lib/gone.yaml]\n${GOOD}`);
  write("golden.yaml", GOOD.replace("blocks:", `golden: { root: "0x${"1".repeat(64)}" }\nblocks:`));
  write("golden.state", '{ "insurance": "7" }');
  for (let at = 0; at < 6; at++) write(`good${at}.yaml`, GOOD);
  copyFileSync(join(projectRoot, "scenarios/orders/cancel-frees-reserve.yaml"), join(folder, "files/reserve.yaml"));
}

/** Copies files of the repository into the folder of a test. */
const copyScenarios =
  (...names: readonly string[]) =>
  (folder: string) => {
    for (const name of names) copyFileSync(join(projectRoot, "scenarios", name), join(folder, basename(name)));
  };

/** Jobs of the explorations below. */
const EXPLORE_JOBS = 10;
const AROUND_JOBS = 4;

const COMMANDS: readonly (readonly [
  name: string,
  prepare: (folder: string) => void | Promise<void>,
  calls: readonly (readonly string[])[],
  status: number,
  jobs: number,
  /** Jobs of the first batch. */
  first: number,
])[] = [
  [
    "monte-carlo",
    createReport,
    [["monte-carlo", "report.json", "--paths", "3500", "--seed", "s", "--out", "out.html", "out.json"]],
    0,
    8,
    8,
  ],
  [
    "scenario run",
    createScenarios,
    ["out.html", "out.json", "out.md", "out.sarif"].map((out) => ["scenario", "run", "files", "--out", out]),
    1,
    12,
    12,
  ],
  // Two starts, each in levels: most jobs are planned only when those before them are done.
  [
    "fuzz explore",
    copyScenarios("worlds/insurance.yaml"),
    [[], ["--json"]].map((how) => [
      ...[
        "fuzz",
        "explore",
        "insurance.yaml",
        "--depth",
        "2",
        "--no-model",
        "--invariants",
        "reserves,conservation,headMoves",
      ],
      ...["--canary", "keptReserve", ...how],
    ]),
    1,
    EXPLORE_JOBS,
    2,
  ],
  [
    "fuzz explore --around",
    copyScenarios("orders/cancel-frees-reserve.yaml", "orders/fees.yaml"),
    [[], ["--json"]].map((how) => [
      ...["fuzz", "explore", "--around", "cancel-frees-reserve.yaml", "fees.yaml", "--no-model"],
      ...["--invariants", "reserves,conservation", ...how],
    ]),
    0,
    AROUND_JOBS,
    AROUND_JOBS,
  ],
];

withRedis.each(COMMANDS)("%s on a queue", (_name, prepare, calls, status, jobs, first) => {
  test("prints, writes and ends as in this process, in threads, with one worker and with four", async () => {
    const bench = await open();
    const { redis, connection, folder } = bench;
    await prepare(folder);
    const at = ["--redis", redis.url];
    const [call] = calls as [readonly string[]];
    const here = await Promise.all(calls.map((one) => sameOf(bench, one, "--workers", "1")));
    for (const { status: ended, out, written } of here) {
      expect(ended).toBe(status);
      expect(`${out}${written.join("")}`.length).toBeGreaterThan(100);
    }
    expect(await sameOf(bench, call, "--workers", "3")).toEqual(here[0]);

    const single = await openWorker(bench, "worker1");
    for (const [place, one] of calls.entries()) expect(await sameOf(bench, one, ...at)).toEqual(here[place]);
    // Only the first call was made: the others have the results of the same jobs.
    expect(await readCounters(connection)).toEqual({ made: jobs, twice: 0, spared: 0 });

    await single.kill();
    await connection.redis.flushall();
    await Promise.all(["worker2", "worker3", "worker4", "worker5"].map((name) => openWorker(bench, name)));
    expect(await sameOf(bench, call, ...at)).toEqual(here[0]);
    expect((await readCounters(connection)).made).toBe(jobs);
  });

  test("loses nothing with a worker and a command that are killed, and makes no finished job again", async () => {
    const bench = await open();
    const { redis, connection, folder } = bench;
    await prepare(folder);
    const at = ["--redis", redis.url];
    const [call] = calls as [readonly string[]];
    const here = await sameOf(bench, call);
    const madeMost = async (most: number) => {
      while ((await readCounters(connection)).made < most) await sleep(2);
    };
    const lost = await openWorker(bench, "worker1");
    const killed = start(folder, ...call, ...at);
    await madeMost(1);
    await lost.kill();
    await killed.kill();
    await openWorker(bench, "worker2");
    const second = await resultOf(bench, call, ...at);
    expect(second.err).toMatch(/^(drawing|running|exploring): done/m);
    expect({ status: second.status, out: second.out, written: second.written }).toEqual(here);
    expect((await readCounters(connection)).made).toBe(jobs);
  });

  test("says that no worker has answered, and ends with one error if its jobs are cancelled", async () => {
    const bench = await open();
    const { redis, folder } = bench;
    await prepare(folder);
    const at = ["--redis", redis.url];
    const [call] = calls as [readonly string[]];
    const command = start(folder, ...call, ...at);
    await command.says(`to start one: perplab worker --redis ${redis.url}\n`);
    expect(command.err).toMatch(/waiting: no worker has answered for perplab \S+ \(code \w{12}\) on Node \d+/);
    const cancelled = await callCli("jobs", "cancel", "--all", ...at, "--json");
    expect(JSON.parse(cancelled.out).cancelled).toHaveLength(first);
    expect(await command.ended).toBe(1);
    expect(command.err).toContain("error JOB_CANCELLED");
    expect(command.err).toContain("hint: to send it again, repeat the command");
  });

  test("says after Ctrl-C where its jobs are", async () => {
    const bench = await open();
    await prepare(bench.folder);
    const [call] = calls as [readonly string[]];
    const command = start(bench.folder, ...call, "--redis", bench.redis.url);
    await command.says("to start one");
    command.signal("SIGINT");
    expect(await command.ended).toBe("SIGINT");
    expect(command.err).toContain("stopped; its jobs stay in the queue");
  });
});

const REDIS = ["--redis", "redis://127.0.0.1:1"];

test.each([
  [["monte-carlo", "report.json", "--workers", "2"], "--workers"],
  [["scenario", "run", "scenarios", "--workers", "2"], "--workers"],
  [["fuzz", "explore", "scenarios/worlds", "--workers", "2"], "--workers"],
  [["scenario", "run", "scenarios", "--user-invariants", "own.ts"], "--user-invariants"],
])("%j is refused with --redis, by name", async (words, place) => {
  const { exitCode, err } = await callCli(...words, ...REDIS);
  expect(err).toContain(`error OPTION_INVALID ${place}: `);
  expect(err).toContain("so it cannot be used with --redis");
  expect(exitCode).toBe(2);
});

test("a Redis that does not answer is named before any work, and nothing is written", async () => {
  const folder = createFolder();
  createScenarios(folder);
  const { exitCode, err } = await callCli(
    "scenario",
    "run",
    join(folder, "files"),
    "--out",
    join(folder, "s.html"),
    ...REDIS,
  );
  expect(err).toContain("error REDIS_UNREACHABLE redis://127.0.0.1:1");
  expect(exitCode).toBe(1);
});
