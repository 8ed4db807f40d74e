import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { createBenchHandler } from "../../../bench/lib/benchHandler.ts";
import { createBenchTask, lineOfCopy } from "../../../bench/lib/benchTask.ts";
import { readOutcome, runQueuedJobs, writeDone } from "../../../bench/lib/queueJobs.ts";
import { readAddress } from "../../../src/product/cluster/queue/address.ts";
import { connect } from "../../../src/product/cluster/queue/connection.ts";
import { readCounters } from "../../../src/product/cluster/queue/results.ts";
import { startWorker } from "../../../src/product/cluster/queue/worker.ts";
import { NO_REDIS, TestRedis } from "../../helpers/cluster/redis.ts";

const withRedis = describe.skipIf(NO_REDIS !== undefined);
if (NO_REDIS !== undefined) test.skip(`jobs of benches on a queue are not tested: ${NO_REDIS}`, () => undefined);

const copy = { bench: "toy", version: "0123456789abcdef" };
const line = lineOfCopy(copy);

test("the name of a task is a function of bench, copy, Node line, job and variables, not of the patience", () => {
  const body = { bench: "toy", job: { bug: 1 }, patience: 5 };
  const { id, kind } = createBenchTask(line, body);
  expect(kind).toBe("toy");
  expect(createBenchTask(line, { ...body, patience: 6 }).id).toBe(id);
  expect(createBenchTask(line, { ...body, env: {} }).id).toBe(id);
  const others = [
    createBenchTask(line, { ...body, job: { bug: 2 } }),
    createBenchTask(line, { ...body, env: { A: "1" } }),
    createBenchTask(line, { ...body, bench: "other" }),
    createBenchTask({ ...line, code: "fedcba9876543210" }, body),
    createBenchTask({ ...line, node: line.node + 1 }, body),
  ].map((task) => task.id);
  expect(new Set([id, ...others]).size).toBe(6);
});

test("a job without a result is a timeout or a crash; any other failure ends the command, and so does another's result", () => {
  const failed = (code: string) => ({ kind: "failed", code, message: "" }) as const;
  expect(readOutcome("toy-1", failed("JOB_TIMEOUT"))).toBe("timeout");
  expect(readOutcome("toy-1", failed("WORKER_LOST"))).toBe("crash");
  expect(() => readOutcome("toy-1", failed("JOB_CANCELLED"))).toThrow(
    expect.objectContaining({ code: "JOB_CANCELLED" }),
  );
  expect(readOutcome("toy-1", { kind: "done", text: writeDone("toy-1", { found: 1 }) })).toEqual({
    done: { found: 1 },
  });
  expect(() => readOutcome("toy-1", { kind: "done", text: writeDone("toy-2", {}) })).toThrow(
    expect.objectContaining({ code: "JOB_MALFORMED" }),
  );
});

interface Job {
  readonly what: "double" | "crash" | "hang" | "env";
  readonly value?: number;
}

withRedis("jobs of a bench on a queue", () => {
  async function open() {
    const redis = await TestRedis.start();
    onTestFinished(() => redis.close());
    const connection = await connect(readAddress(redis.url));
    onTestFinished(() => connection.close());
    return { redis, connection };
  }

  async function startToy(connection: Awaited<ReturnType<typeof connect>>, bench = "toy"): Promise<void> {
    const worker = join(import.meta.dirname, "fixtures", "jobWorker.ts");
    const { handler, close } = createBenchHandler({ bench, worker });
    const events = { onDone: () => undefined, onFailed: () => undefined, onTrouble: () => undefined };
    const taker = await startWorker(connection, {
      name: "toy",
      line,
      concurrency: 2,
      takeoverMs: 2_000,
      handler,
      events,
    });
    onTestFinished(async () => {
      close();
      await taker.close();
    });
  }

  async function run({ url }: TestRedis, jobs: readonly Job[], said: string[] = []) {
    const results = new Map<Job, unknown>();
    await runQueuedJobs<Job, unknown>({
      copy,
      queue: { redis: url },
      jobs,
      patience: 1,
      envOf: ({ what, value }) => (what === "env" ? { JOB_VALUE: `${value}` } : undefined),
      lost: (_, why) => why,
      onDone: (done, job) => results.set(job, done),
      say: (text) => said.push(text),
    });
    return jobs.map((job) => results.get(job));
  }

  test("have the results that processes have: doubled, lost by time and by a crash, with variables", async () => {
    const { redis, connection } = await open();
    await startToy(connection);
    const jobs: Job[] = [
      { what: "double", value: 1 },
      { what: "hang" },
      { what: "crash" },
      { what: "env", value: 5 },
      { what: "double", value: 4 },
    ];
    const results = await run(redis, jobs);
    expect(results).toEqual([
      expect.objectContaining({ doubled: 2 }),
      "timeout",
      "crash",
      "5",
      expect.objectContaining({ doubled: 8 }),
    ]);
    // The same jobs again take what is there, and try again only what failed.
    const again = await run(redis, [jobs[0]!, jobs[3]!, jobs[4]!]);
    expect(again).toEqual([results[0], "5", results[4]]);
    expect((await readCounters(connection)).made).toBe(3);
  });

  test("say which worker is missing, by its own command", async () => {
    const { redis, connection } = await open();
    const said: string[] = [];
    const ended = run(redis, [{ what: "double", value: 3 }], said);
    await expect.poll(() => said, { timeout: 10_000 }).toHaveLength(1);
    expect(said[0]).toContain(`bench toy (code 0123456789ab) on Node ${line.node}`);
    expect(said[0]).toContain(`to start one: node bench/worker.ts toy --redis ${redis.url}`);
    await startToy(connection);
    expect(await ended).toEqual([expect.objectContaining({ doubled: 6 })]);
  });

  test("end with an error if a worker of their copy has another bench", async () => {
    const { redis, connection } = await open();
    await startToy(connection, "other");
    await expect(run(redis, [{ what: "double", value: 3 }])).rejects.toMatchObject({ code: "JOB_MALFORMED" });
  });
});
