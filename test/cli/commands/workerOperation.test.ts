import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import { CliProcess, startWorker } from "../../helpers/cluster/processes.ts";
import { NO_REDIS, TestRedis } from "../../helpers/cluster/redis.ts";
import type { WrittenSpan } from "../../helpers/cluster/spanWriter.ts";
import { NO_TLS, startTlsRedis, type TlsRedis } from "../../helpers/cluster/tls.ts";
import { projectRoot } from "../../helpers/project.ts";
import { within } from "../../helpers/within.ts";
import { createBench } from "../../product/research/runs/helpers.ts";

const withRedis = describe.skipIf(NO_REDIS !== undefined);
if (NO_REDIS !== undefined) test.skip(`the operation of workers is not tested: ${NO_REDIS}`, () => undefined);

async function openRedis(...settings: string[]): Promise<TestRedis> {
  const redis = await TestRedis.start(settings);
  onTestFinished(() => redis.close());
  return redis;
}

/** Text of the metrics that a worker serves. */
async function scrape({ err }: CliProcess): Promise<string> {
  const [, url] = /metrics at (http:\S+)/.exec(err)!;
  return (await fetch(url!)).text();
}

/** Scrapes until a line is there. */
async function scrapeUntil(worker: CliProcess, line: string): Promise<string> {
  for (;;) {
    const text = await scrape(worker);
    if (text.includes(`${line}\n`)) return text;
    await sleep(20);
  }
}

withRedis("the metrics of a worker", () => {
  test("follow its jobs: waiting, under way, done, and failed by code", async () => {
    const { folder } = await createBench();
    const redis = await openRedis();
    const marker = join(folder, "go");
    mkdirSync(join(folder, "tapes"));
    const own = ["--tapes", "tapes", "--concurrency", "1", "--takeover", "2s", "--metrics", "0"];
    const worker = await startWorker(folder, redis.url, own);
    onTestFinished(() => worker.kill());
    await worker.says("metrics at http://127.0.0.1:");
    const queued = ["--data", "btc.tape", "--redis", redis.url];
    const lost = new CliProcess(folder, ["sweep", "turns.js", ...queued, "--grid", "every=2"]);
    expect(await lost.ended, lost.err).toBe(1);
    const failed = await scrapeUntil(
      worker,
      'perplab_worker_failed_attempts_total{code="TAPE_MISSING",final="true"} 1',
    );
    expect(failed).toContain('perplab_worker_failed_attempts_total{code="TAPE_MISSING",final="false"} 3\n');
    expect(failed).toContain('perplab_queue_jobs{state="failed"} 1\n');
    copyFileSync(join(folder, "btc.tape"), join(folder, "tapes/any.tape"));
    const held = ["--param", `marker=${marker}`, "mode=hold", "--grid", "every=3,4,5"];
    const command = new CliProcess(folder, ["sweep", "turns.js", ...queued, ...held]);
    const text = await scrapeUntil(worker, 'perplab_queue_jobs{state="waiting"} 2');
    expect(text).toContain('perplab_queue_jobs{state="active"} 1\n');
    await scrapeUntil(worker, "perplab_worker_jobs_under_way 1");
    writeFileSync(marker, "");
    expect(await command.ended, command.err).toBe(0);
    const done = await scrapeUntil(worker, 'perplab_worker_jobs_total{outcome="done"} 3');
    expect(done).toContain('perplab_worker_job_seconds_count{kind="run"} 7\n');
    expect(done).toContain("perplab_redis_up 1\n");
  });

  test("are served while Redis is away, and the worker ends at its signals", async () => {
    const { folder } = await createBench();
    const redis = await openRedis();
    const worker = await startWorker(folder, redis.url, ["--metrics", "0"]);
    onTestFinished(() => worker.kill());
    await worker.says("metrics at ");
    await scrapeUntil(worker, "perplab_redis_up 1");
    await redis.kill();
    await worker.says("Redis is away");
    expect(await scrape(worker)).toContain("perplab_redis_up 0\n");
    await redis.start();
    await scrapeUntil(worker, "perplab_redis_up 1");
    worker.signal("SIGTERM");
    expect(await worker.ended).toBe(0);
  });
});

withRedis("the end of a worker", () => {
  /** A command whose run waits for a marker. */
  async function hold(folder: string, redis: TestRedis) {
    const marker = join(folder, "go");
    const own = ["--param", `marker=${marker}`, "mode=hold", "--grid", "every=3"];
    const command = new CliProcess(folder, ["sweep", "turns.js", "--data", "btc.tape", "--redis", redis.url, ...own]);
    onTestFinished(() => command.kill());
    while (!existsSync(`${marker}.begun`)) await sleep(20);
    return { command, release: () => writeFileSync(marker, "") };
  }

  async function openWorker(folder: string, redis: TestRedis): Promise<CliProcess> {
    const own = ["--tapes", ".", "--concurrency", "1", "--takeover", "2s"];
    const worker = await startWorker(folder, redis.url, own);
    onTestFinished(() => worker.kill());
    return worker;
  }

  test("comes at once with a second signal, and another worker makes its job", async () => {
    const { folder } = await createBench();
    const redis = await openRedis();
    const first = await openWorker(folder, redis);
    const { command, release } = await hold(folder, redis);
    first.signal("SIGTERM");
    await first.says("drains: finishes its jobs and takes no more");
    first.signal("SIGTERM");
    expect(await within("the worker", first.ended)).toBe(0);
    expect(first.err).toContain("ends at once; other workers take over its jobs");
    expect(first.err).not.toContain("JOB_CANCELLED");
    release();
    const second = await openWorker(folder, redis);
    expect(await command.ended, command.err).toBe(0);
    expect(command.err).toContain("1 new by workers");
    expect(second.isOver).toBe(false);
  });

  test("does not wait for a Redis that is away: at once without a job, with one at the second signal", async () => {
    const { folder } = await createBench();
    const redis = await openRedis();
    const idle = await startWorker(folder, redis.url, ["--redis-prefix", "other"]);
    onTestFinished(() => idle.kill());
    const busy = await openWorker(folder, redis);
    await hold(folder, redis);
    await redis.kill();
    for (const worker of [idle, busy]) await worker.says("Redis is away; the worker waits for it");
    for (const worker of [idle, busy]) worker.signal("SIGTERM");
    expect(await within("the worker without a job", idle.ended)).toBe("SIGTERM");
    expect(idle.err).toContain("ends at once; it has no job");
    await busy.says("drains: finishes its jobs");
    expect(busy.isOver).toBe(false);
    busy.signal("SIGTERM");
    expect(await within("the worker with a job", busy.ended)).toBe("SIGTERM");
  });
});

withRedis("traces", () => {
  const sdk = pathToFileURL(join(projectRoot, "test/helpers/cluster/spanWriter.ts")).href;

  test("follow a job from the command to its worker, by an option and by the environment", async () => {
    const { folder } = await createBench();
    const redis = await openRedis();
    const spansOf = (name: string) =>
      readFileSync(join(folder, name), "utf8")
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line) as WrittenSpan);
    const env = (name: string) => ({ NODE_OPTIONS: `--import=${sdk}`, SPANS: join(folder, name) });
    const words = ["worker", "--redis", redis.url, "--tapes", ".", "--telemetry"];
    const worker = new CliProcess(folder, words, env("worker.spans"));
    onTestFinished(() => worker.kill());
    await worker.says("jobs from");
    const sweep = ["sweep", "turns.js", "--data", "btc.tape", "--redis", redis.url, "--grid", "every=2,3"];
    const command = new CliProcess(folder, sweep, { ...env("command.spans"), OTEL_TRACES_EXPORTER: "otlp" });
    expect(await command.ended, command.err).toBe(0);
    worker.signal("SIGTERM");
    expect(await worker.ended, worker.err).toBe(0);
    const sent = spansOf("command.spans").filter(({ name }) => name.startsWith("addBulk jobs-"));
    expect(sent).toMatchObject([{ attributes: { "bullmq.job.bulk.count": 2 } }]);
    const made = spansOf("worker.spans").filter(({ name }) => name.startsWith("process jobs-"));
    expect(made).toHaveLength(2);
    for (const span of made) {
      expect(span).toMatchObject({ trace: sent[0]!.trace, parent: sent[0]!.id });
      expect(span.attributes["bullmq.job.id"]).toMatch(/^run-[0-9a-f]{64}$/);
    }
  });

  test("are refused where no SDK is started", async () => {
    const { folder } = await createBench();
    const redis = await openRedis();
    const at = ["--redis", redis.url];
    for (const [words, env, place] of [
      [["worker", ...at, "--telemetry"], {}, "--telemetry"],
      [["jobs", "list", ...at], { OTEL_TRACES_EXPORTER: "otlp" }, "OTEL_TRACES_EXPORTER"],
    ] as const) {
      const command = new CliProcess(folder, words, env);
      expect(await command.ended).toBe(1);
      expect(command.err).toContain(`error TRACES_UNREAD ${place}: no SDK of OpenTelemetry runs in this process`);
    }
  });
});

const withTls = describe.skipIf(NO_TLS !== undefined);
if (NO_TLS !== undefined) test.skip(`TLS is not tested: ${NO_TLS}`, () => undefined);

/** The rule for a user of the guide. */
function readRule(): string[] {
  const guide = readFileSync(join(projectRoot, "docs/guides/cluster.md"), "utf8");
  return /needs these rights:\s`([^`]+)`/.exec(guide)![1]!.split(" ");
}

async function openTls(name: string, ...settings: string[]): Promise<TlsRedis> {
  const tls = await startTlsRedis(name, settings);
  onTestFinished(() => tls.close());
  return tls;
}

/** Runs a command to its end. */
async function run(folder: string, words: readonly string[], env: Readonly<Record<string, string>>) {
  const command = new CliProcess(folder, words, env);
  const status = await command.ended;
  return { status, out: command.out, err: command.err };
}

withTls("a Redis with TLS and an access list", () => {
  test("serves all commands to a user with the rule of the guide, and a private authority", async () => {
    const { folder } = await createBench();
    const user = ["--user", "runs", "on", ">secret", ...readRule()];
    const { host, authority } = await openTls("IP:127.0.0.1", ...user, "--user", "default", "off");
    const env = { NODE_EXTRA_CA_CERTS: authority, PERPLAB_REDIS_PASSWORD: "secret" };
    const at = ["--redis", `rediss://runs@${host}`];
    mkdirSync(join(folder, "tapes"));
    const own = ["--tapes", "tapes", "--concurrency", "1", "--metrics", "0"];
    const worker = new CliProcess(folder, ["worker", ...at, ...own], env);
    onTestFinished(() => worker.kill());
    await worker.says("metrics at ");
    const sweep = ["sweep", "turns.js", "--data", "btc.tape", ...at, "--grid"];
    // Attempts with pauses, a failure that is kept, listed, and tried again.
    expect((await run(folder, [...sweep, "every=2"], env)).err).toContain("error TAPE_MISSING");
    const failed = JSON.parse((await run(folder, ["jobs", "list", "--failed", ...at, "--json"], env)).out);
    expect(failed.jobs).toMatchObject([{ state: "failed", failure: { code: "TAPE_MISSING" } }]);
    copyFileSync(join(folder, "btc.tape"), join(folder, "tapes/any.tape"));
    expect((await run(folder, ["jobs", "retry", "--all", ...at], env)).status).toBe(0);
    await scrapeUntil(worker, 'perplab_worker_jobs_total{outcome="done"} 1');
    const marker = ["--param", `marker=${join(folder, "go")}`, "mode=hold"];
    const held = new CliProcess(folder, [...sweep.slice(0, -1), ...marker, "--grid", "every=3,4"], env);
    await scrapeUntil(worker, 'perplab_queue_jobs{state="waiting"} 1');
    await scrapeUntil(worker, 'perplab_queue_jobs{state="active"} 1');
    const shown = await run(folder, ["jobs", "list", ...at], env);
    expect(shown.out).toMatch(/jobs-\w+-node\d+ +1 +1 /);
    expect((await run(folder, ["jobs", "cancel", "--all", ...at], env)).status).toBe(0);
    expect(await held.ended, held.err).toBe(1);
    expect(held.err).toContain("JOB_CANCELLED");
    writeFileSync(join(folder, "go"), "");
    const last = await run(folder, [...sweep, "every=2..12:1"], env);
    expect(last.status, last.err).toBe(0);
    expect(worker.err).not.toContain("trouble");
    worker.signal("SIGTERM");
    expect(await worker.ended).toBe(0);
  });

  test.each([
    ["without the right to ask for its settings", (rule: string[]) => rule.filter((word) => word !== "+info"), "info"],
    ["with the keys of another prefix", (rule: string[]) => ["~other:*", ...rule.slice(1)], "key"],
  ])("refuses a user %s", async (_name, change, reason) => {
    const { folder } = await createBench();
    const { host, authority } = await openTls("IP:127.0.0.1", "--user", "runs", "on", ">secret", ...change(readRule()));
    const env = { NODE_EXTRA_CA_CERTS: authority };
    const { status, err } = await run(folder, ["worker", "--redis", `rediss://runs:secret@${host}`], env);
    expect(err).toMatch(/^error REDIS_DENIED rediss:\/\/runs@127.0.0.1:\d+: Redis refuses: NOPERM/m);
    expect(err).toContain(reason);
    expect(status).toBe(1);
  });

  test("is refused with advice if its authority is unknown, or its certificate names another host", async () => {
    const { folder } = await createBench();
    const { host, authority } = await openTls("DNS:redis.example");
    const at = ["jobs", "list", "--redis", `rediss://${host}`];
    const unknown = await run(folder, at, {});
    expect(unknown.err).toContain(`error REDIS_UNREACHABLE rediss://${host}: the certificate of Redis is not trusted`);
    expect(unknown.err).toContain("NODE_EXTRA_CA_CERTS");
    const other = await run(folder, at, { NODE_EXTRA_CA_CERTS: authority });
    expect(other.err).toContain(
      `error REDIS_UNREACHABLE rediss://${host}: the certificate of Redis names another host`,
    );
    expect([unknown.status, other.status]).toEqual([1, 1]);
  });

  test("is not spoken to without TLS at its port", async () => {
    const { folder } = await createBench();
    const { host } = await openTls("IP:127.0.0.1");
    const { status, err } = await run(folder, ["jobs", "list", "--redis", `redis://${host}`], {});
    expect(err).toContain("error REDIS_UNREACHABLE");
    expect(err).toContain("with TLS the address begins with rediss://");
    expect(status).toBe(1);
  });
});
