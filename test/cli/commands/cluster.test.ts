import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import { readAddress } from "../../../src/product/cluster/queue/address.ts";
import { connect } from "../../../src/product/cluster/queue/connection.ts";
import { reportWorker } from "../../../src/product/cluster/queue/workers.ts";
import { callCli } from "../../helpers/cli.ts";
import { CliProcess, startWorker } from "../../helpers/cluster/processes.ts";
import { NO_REDIS, TestRedis } from "../../helpers/cluster/redis.ts";
import { createFolder, projectRoot } from "../../helpers/project.ts";
import { createBench } from "../../product/research/runs/helpers.ts";

const withRedis = describe.skipIf(NO_REDIS !== undefined);
if (NO_REDIS !== undefined) test.skip(`commands of the queue are not tested: ${NO_REDIS}`, () => undefined);

const BARS = join(projectRoot, "data/BTC-PERP-klines-1h-2024.csv.gz");

async function openRedis(...settings: string[]): Promise<TestRedis> {
  const redis = await TestRedis.start(settings);
  onTestFinished(() => redis.close());
  return redis;
}

async function openWorker(folder: string, redis: TestRedis, ...words: string[]): Promise<CliProcess> {
  const worker = await startWorker(folder, redis.url, ["--takeover", "2s", ...words]);
  onTestFinished(() => worker.kill());
  return worker;
}

/** Runs a command to its end. */
async function run(folder: string, ...words: string[]) {
  const command = new CliProcess(folder, words);
  const status = await command.ended;
  return { status, out: command.out, err: command.err };
}

/** A strategy that waits in every run until `go` is there, in a folder with its tape. */
async function createHeld() {
  const { folder } = await createBench();
  const marker = join(folder, "go");
  const words = ["sweep", "turns.js", "--data", "btc.tape", "--param", `marker=${marker}`, "--grid"];
  return { folder, marker, words, release: () => writeFileSync(marker, "") };
}

withRedis("a command with --redis", () => {
  test.each([
    ["sweep", ["--grid", "fast=6,12", "slow=24..48:12", "leverage=1,3"]],
    ["walk-forward", ["--grid", "fast=6,12", "slow=24,48", "--train", "20d", "--test", "10d"]],
  ])("%s writes the same file as with threads", async (name, words) => {
    const folder = createFolder();
    const redis = await openRedis();
    await openWorker(folder, redis, "--concurrency", "2");
    const call = [name, "trend", "--data", BARS, "--to", "2024-02-20", ...words];
    const threads = await run(folder, ...call, "--store", "threads", "--out", "threads.json");
    expect(threads.status, threads.err).toBe(0);
    const queue = await run(folder, ...call, "--out", "queue.json", "--redis", redis.url);
    expect(queue.status, queue.err).toBe(0);
    expect(readFileSync(join(folder, "queue.json"), "utf8")).toBe(readFileSync(join(folder, "threads.json"), "utf8"));
    if (name === "sweep") expect(queue.err).toContain("12 new by workers, 0 kept from before");
  });

  test("says that no worker has answered, and which others are there; reports are made here", async () => {
    const { folder, words } = await createHeld();
    const redis = await openRedis();
    const connection = await connect(readAddress(redis.url, "own"));
    const [startedMs, other] = [Date.now(), { perplab: "0.0.9", code: "0".repeat(64), node: 22 }];
    await reportWorker(connection, { ...other, name: "old:1", concurrency: 1, done: 0, startedMs, seenMs: startedMs });
    await connection.close();
    const queue = ["--redis", redis.url, "--redis-prefix", "own"];
    const command = new CliProcess(folder, [...words, "every=2,3", ...queue, "--out", "page.html"]);
    onTestFinished(() => command.kill());
    await command.says(`to start one: perplab worker ${queue.join(" ")}\n`);
    await command.says("1 worker of another version or Node line cannot take these jobs: old:1: perplab 0.0.9");
    await openWorker(folder, redis, "--redis-prefix", "own", "--tapes", ".");
    expect(await command.ended, command.err).toBe(0);
    expect(existsSync(join(folder, "page.html"))).toBe(true);
  });

  test("continues where it was killed, and a worker drains when it is asked to end", async () => {
    const { folder, marker, words, release } = await createHeld();
    const redis = await openRedis();
    const worker = await openWorker(folder, redis, "--tapes", ".", "--concurrency", "1");
    const own = [...words.slice(0, -1), "mode=hold", "--grid", "every=2..6:1"];
    const call = [...own, "--redis", redis.url, "--out", "s.json"];
    const first = new CliProcess(folder, call);
    while (!existsSync(`${marker}.begun`)) await sleep(20);
    await first.kill();
    worker.signal("SIGTERM");
    await worker.says("drains: finishes its jobs and takes no more");
    release();
    expect(await worker.ended).toBe(0);
    expect(worker.out).toContain("1 job done, 0 failed attempts");
    await openWorker(folder, redis, "--tapes", ".");
    const second = await run(folder, ...call);
    expect(second.status, second.err).toBe(0);
    const threads = await run(folder, ...own, "--store", "own", "--out", "t.json");
    expect(threads.status, threads.err).toBe(0);
    expect(readFileSync(join(folder, "s.json"), "utf8")).toBe(readFileSync(join(folder, "t.json"), "utf8"));
  });

  test("keeps its password out of what it prints", async () => {
    const { folder, words } = await createHeld();
    const redis = await openRedis("--requirepass", "secret");
    const url = redis.url.replace("//", "//default:secret@");
    const command = new CliProcess(folder, [...words, "every=2,3", "--redis", url]);
    await command.says("to start one");
    command.signal("SIGINT");
    await command.ended;
    expect(command.err).toContain(`--redis redis://default@127.0.0.1:${redis.port}`);
    expect(command.err).not.toContain("secret");
  });
});

withRedis("jobs", () => {
  test("are listed, shown, cancelled and tried again", async () => {
    const { folder, marker, words, release } = await createHeld();
    const redis = await openRedis();
    const at = ["--redis", redis.url];
    const json = async (...call: string[]) => JSON.parse((await callCli("jobs", ...call, ...at, "--json")).out);
    // A job that fails on every worker: the tape is not where the worker looks.
    mkdirSync(join(folder, "tapes"));
    const worker = await openWorker(folder, redis, "--tapes", "tapes", "--concurrency", "1");
    const lost = await run(folder, ...words, "every=2", ...at);
    expect(lost.err).toMatch(/error TAPE_MISSING .*tapes: no tape here has the hash/);
    expect(lost.status).toBe(1);
    const { jobs } = await json("list", "--failed");
    expect(jobs).toMatchObject([{ state: "failed", attempts: 4, failure: { code: "TAPE_MISSING" } }]);
    const [{ id }] = jobs;
    const shown = await callCli("jobs", "show", id.slice(0, 12), ...at);
    expect(shown.out).toContain("TAPE_MISSING: no tape here has the hash");
    expect(shown.out).toMatch(/^last worker +\S+:\d+$/m);
    // The kind before the hyphen may be left out.
    expect((await callCli("jobs", "show", id.slice(4, 16), ...at)).out).toBe(shown.out);
    expect((await callCli("jobs", "list", ...at)).out).toMatch(/jobs-\w+-node\d+ +0 +0 +0 +1 +1\n/);
    // Now it is.
    copyFileSync(join(folder, "btc.tape"), join(folder, "tapes/any.tape"));
    expect(await json("retry", "--all")).toEqual({ retried: [id] });
    while ((await json("list")).counters.made === 0) await sleep(50);
    // One under way is ended, and one that waits is removed; the command reports both.
    const call = [...words.slice(0, -1), "mode=hold", "--grid", "every=3,4", ...at, "--json"];
    const command = new CliProcess(folder, call);
    while (!existsSync(`${marker}.begun`)) await sleep(20);
    expect((await json("cancel", "--all")).cancelled).toHaveLength(2);
    expect(await command.ended).toBe(1);
    expect(command.err).toContain("running: done, 0 new by workers, 0 kept from before, 2 cancelled in the queue");
    expect(command.err).toContain("2 of 2 runs failed, the first with JOB_CANCELLED");
    release();
    // The same command sends them again.
    const again = await run(folder, ...call);
    expect(again.status, again.err).toBe(0);
    expect(worker.isOver).toBe(false);
  });

  test("that are not there, or not named, are an error", async () => {
    const redis = await openRedis();
    const at = ["--redis", redis.url];
    const { exitCode, err } = await callCli("jobs", "show", "abc", ...at);
    expect([exitCode, err]).toEqual([1, expect.stringContaining("error JOB_UNKNOWN no job begins with abc")]);
    expect((await callCli("jobs", "cancel", ...at)).err).toContain("error OPTION_MISSING --all: no job is named");
    const both = await callCli("jobs", "cancel", "abc", "--all", ...at);
    expect(both.err).toContain("error OPTION_INVALID --all and names of jobs exclude each other");
    expect((await callCli("jobs", "list", ...at)).out).toContain("no queue has jobs");
  });
});

describe("an address that is none", () => {
  const worker = (...words: string[]) => callCli("worker", ...words);

  test.each(["localhost", "http://127.0.0.1"])("is refused: %s", async (url) => {
    const { exitCode, err } = await worker("--redis", url);
    expect(err).toContain(`error REDIS_URL --redis: "${url}" is not the address of a Redis`);
    expect(exitCode).toBe(2);
  });

  test("or at which no Redis answers", async () => {
    const { exitCode, err } = await worker("--redis", "redis://127.0.0.1:1");
    expect(err).toContain("error REDIS_UNREACHABLE redis://127.0.0.1:1: Redis does not answer");
    expect(exitCode).toBe(1);
    const other = createServer((socket) => void socket.end("HTTP/1.1 400 Bad Request\r\n\r\n"));
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    const { port } = other.address() as AddressInfo;
    const called = await callCli("jobs", "list", "--redis", `redis://127.0.0.1:${port}`);
    other.close();
    expect(called.err).toContain("error REDIS_UNREACHABLE");
  });
});

withRedis("a Redis that cannot be used", () => {
  test("refuses the password", async () => {
    const redis = await openRedis("--requirepass", "right");
    for (const url of [redis.url, redis.url.replace("//", "//:wrong@")]) {
      const { exitCode, err } = await callCli("worker", "--redis", url);
      expect(err).toMatch(/error REDIS_DENIED redis:\/\/127.0.0.1:\d+: Redis refuses: (NOAUTH|WRONGPASS)/);
      expect(err).not.toContain("wrong@");
      expect(exitCode).toBe(1);
    }
  });

  test("may evict keys", async () => {
    const redis = await openRedis("--maxmemory", "100mb", "--maxmemory-policy", "allkeys-lru");
    const { err } = await callCli("jobs", "list", "--redis", redis.url);
    expect(err).toContain("error REDIS_UNFIT");
    expect(err).toContain("set maxmemory-policy noeviction");
  });

  test("is full: the command ends, nothing is lost, and the same command continues", async () => {
    const { folder, words } = await createHeld();
    const redis = await openRedis("--maxmemory", "1500kb");
    const call = [...words, "every=2..400:1", "--redis", redis.url, "--out", "s.csv"];
    const full = await run(folder, ...call);
    expect(full.err).toContain(`error REDIS_FULL redis://127.0.0.1:${redis.port}: Redis has reached its memory limit`);
    expect(full.status).toBe(1);
    await redis.command("CONFIG SET maxmemory 100mb");
    await openWorker(folder, redis, "--tapes", ".");
    const again = await run(folder, ...call);
    expect(again.status, again.err).toBe(0);
    expect(readFileSync(join(folder, "s.csv"), "utf8").trimEnd().split("\n")).toHaveLength(400);
  });
});
