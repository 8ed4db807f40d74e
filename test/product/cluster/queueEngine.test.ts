import { readFileSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { putResult, readCounters } from "../../../src/product/cluster/queue/results.ts";
import { openQueue, TASK_OPTIONS } from "../../../src/product/cluster/queue/task.ts";
import { createRunTask } from "../../../src/product/cluster/runs/runTask.ts";
import { packStrategy } from "../../../src/product/cluster/runs/strategyCode.ts";
import { hashJob } from "../../../src/product/research/runs/job.ts";
import { hashStrategy } from "../../../src/product/research/runs/strategyHash.ts";
import { NO_REDIS } from "../../helpers/cluster/redis.ts";
import { makeAll } from "../research/runs/helpers.ts";
import { createClusterBench, recordsOf } from "./helpers.ts";

const withRedis = describe.skipIf(NO_REDIS !== undefined);
if (NO_REDIS !== undefined) test.skip(`the queue is not tested: ${NO_REDIS}`, () => undefined);

withRedis("an engine on a queue", () => {
  test("gives the records of this thread, in the order of the jobs, with one worker and with two", async () => {
    const cluster = await createClusterBench();
    const { bench } = cluster;
    const jobs = [7, 3, 11, 5, 2, 13, 4].map((every) => bench.job({ every }, { leverage: (every % 3) + 1 }));
    const local = (await makeAll(bench.local(), jobs)).map(({ record }) => record);
    await cluster.worker("--concurrency", "2");
    expect(await recordsOf(await cluster.engine(), jobs)).toEqual(local);
    await cluster.worker("--concurrency", "1");
    const more = [17, 19, 23, 29, 31, 37].map((every) => bench.job({ every }));
    expect(await recordsOf(await cluster.engine(), more)).toEqual(
      (await makeAll(bench.local(), more)).map(({ record }) => record),
    );
  });

  test("never makes a finished run again, for any coordinator", async () => {
    const cluster = await createClusterBench();
    const jobs = [2, 3, 5].map((every) => cluster.bench.job({ every }));
    const worker = await cluster.worker();
    const first = await recordsOf(await cluster.engine(), jobs);
    // Without a worker, only results that are there can come.
    await worker.kill();
    expect(await recordsOf(await cluster.engine(), [...jobs, jobs[0]!])).toEqual([...first, first[0]]);
    expect(await readCounters(cluster.connection)).toEqual({ made: 3, twice: 0, spared: 0 });
  });

  test("records a run that fails by itself, and one that does not end or ends its worker's threads", async () => {
    const cluster = await createClusterBench();
    const { bench } = cluster;
    const jobs = [bench.job(), bench.job({ mode: "throw" }), bench.job({ mode: "loop" }), bench.job({ mode: "exit" })];
    const local = await makeAll(bench.local(), jobs.slice(0, 2));
    await cluster.worker("--concurrency", "2");
    const records = await recordsOf(await cluster.engine({ limitMs: 3_000 }), jobs);
    expect(records.slice(0, 2)).toEqual(local.map(({ record }) => record));
    expect(records[2]!.error).toMatchObject({ code: "RUN_TIMEOUT", isFinal: false });
    expect(records[2]!.error!.message).toContain("did not end within 3000 ms");
    expect(records[3]!.error).toMatchObject({ code: "WORKER_LOST", isFinal: false });
    // A failure of the queue is no result: a later call tries again.
    expect(await readCounters(cluster.connection)).toMatchObject({ made: 2 });
  });

  test("loses nothing with a worker that is killed in the middle of a run", async () => {
    const cluster = await createClusterBench();
    const { bench, marker } = cluster;
    const held = bench.job({ mode: "hold", marker });
    const first = await cluster.worker("--concurrency", "1");
    const records = recordsOf(await cluster.engine(), [held, bench.job({ every: 3 })]);
    await cluster.isHeld();
    await first.kill();
    cluster.release();
    await cluster.worker("--concurrency", "1");
    const local = await makeAll(bench.local(), [held, bench.job({ every: 3 })]);
    expect(await records).toEqual(local.map(({ record }) => record));
    expect(await readCounters(cluster.connection)).toEqual({ made: 2, twice: 0, spared: 0 });
  });

  test("counts a run once that two workers have made to the end", async () => {
    const cluster = await createClusterBench();
    const { bench, marker } = cluster;
    const held = bench.job({ mode: "hold", marker });
    const first = await cluster.worker("--concurrency", "1");
    const records = recordsOf(await cluster.engine(), [held]);
    await cluster.isHeld();
    // A worker that is stopped looks dead, and is not.
    first.signal("SIGSTOP");
    cluster.release();
    await cluster.worker("--concurrency", "1");
    expect(await records).toHaveLength(1);
    first.signal("SIGCONT");
    while ((await readCounters(cluster.connection)).twice === 0) await sleep(20);
    expect(await readCounters(cluster.connection)).toEqual({ made: 1, twice: 1, spared: 0 });
  });

  test("sends again what Redis forgot, with the code of the strategy", async () => {
    const cluster = await createClusterBench();
    const { bench, marker } = cluster;
    const jobs = [bench.job({ mode: "hold", marker }), bench.job({ every: 3 }), bench.job({ every: 4 })];
    const local = await makeAll(bench.local(), jobs.slice(1));
    const engine = await cluster.engine();
    const records = recordsOf(engine, jobs.slice(1));
    // All is sent, and no worker is there yet.
    const queue = openQueue(cluster.connection, cluster.line);
    while ((await queue.getWaitingCount()) < 2) await sleep(20);
    await cluster.connection.redis.flushall();
    await cluster.worker();
    expect(await records).toEqual(local.map(({ record }) => record));
    await queue.close();
  });

  test("continues when Redis was killed and is back", async () => {
    const cluster = await createClusterBench();
    const { bench, marker, redis } = cluster;
    const jobs = [bench.job({ mode: "hold", marker }), bench.job({ every: 3 })];
    await cluster.worker("--concurrency", "1");
    const records = recordsOf(await cluster.engine(), jobs);
    await cluster.isHeld();
    await redis.kill();
    cluster.release();
    await redis.start();
    expect((await records).map(({ outcome }) => outcome)).toEqual(["completed", "completed"]);
    expect(await readCounters(cluster.connection)).toMatchObject({ made: 2 });
  });

  test("refuses the record of another run under the name of a job", async () => {
    const { bench, connection, engine } = await createClusterBench();
    const [job, other] = [bench.job({ every: 3 }), bench.job({ every: 4 })];
    const [{ record }] = (await makeAll(bench.local(), [other])) as [Awaited<ReturnType<typeof makeAll>>[number]];
    await putResult(connection, `run-${hashJob(job)}`, JSON.stringify(record));
    await expect(recordsOf(await engine(), [job])).rejects.toMatchObject({
      code: "RUN_FAILED",
      message: `the queue has the record of another run under the name of ${hashJob(job)}`,
    });
  });

  test("ends at a failure that all runs would have, and withdraws the runs that no worker has started", async () => {
    const { bench, connection, engine, line } = await createClusterBench();
    const { bullmq, redis, prefix } = connection;
    const records = recordsOf(
      await engine(),
      [2, 3, 4, 5].map((every) => bench.job({ every })),
    );
    const queue = openQueue(connection, line);
    while ((await queue.getWaitingCount()) < 4) await sleep(20);
    const worker = new bullmq.Worker(queue.name, null, { connection: redis, prefix, autorun: false });
    const job = await worker.getNextJob("token");
    const missing = JSON.stringify({ code: "TAPE_MISSING", message: "not here" });
    await job!.moveToFailed(new bullmq.UnrecoverableError(missing), "token", false);
    await expect(records).rejects.toMatchObject({ code: "TAPE_MISSING", message: "not here" });
    // The failed one stays, for `jobs list --failed`.
    expect(await queue.getJobCounts("waiting", "active", "delayed", "failed")).toEqual({
      waiting: 0,
      active: 0,
      delayed: 0,
      failed: 1,
    });
    await worker.close();
    await queue.close();
  });

  test("gives a job that was cancelled or has failed new attempts in a later call", async () => {
    const cluster = await createClusterBench();
    const job = cluster.bench.job({ mode: "loop" });
    const worker = await cluster.worker("--concurrency", "1");
    for (const limitMs of [300, 301]) {
      const [record] = await recordsOf(await cluster.engine({ limitMs }), [job]);
      expect(record!.error).toMatchObject({ code: "RUN_TIMEOUT" });
      expect(record!.error!.message).toContain(`${limitMs} ms`);
    }
    worker.signal("SIGTERM");
    expect(await worker.ended).toBe(0);
  });
});

withRedis("a worker refuses", () => {
  test("the jobs of another version by name, and the queue of a version has no others", async () => {
    const cluster = await createClusterBench();
    const { bench, line, connection } = cluster;
    const worker = await cluster.worker();
    const shared = { line: { ...line, code: "0".repeat(64) }, codes: {}, tape: "", limitMs: 1, probe: "" };
    const task = createRunTask(bench.job(), shared);
    const queue = openQueue(connection, line);
    await queue.add(task.kind, task, { ...TASK_OPTIONS, jobId: task.id });
    await worker.says("failed: WORKER_VERSION: the job is for perplab 0.1.0 (code 000000000000)");
    await queue.add("other", { any: 1 } as never, { ...TASK_OPTIONS, jobId: "other" });
    await worker.says("JOB_MALFORMED");
    expect(await queue.getJobCounts("failed", "waiting", "active")).toEqual({ failed: 2, waiting: 0, active: 0 });
    await queue.close();
    expect(await readCounters(connection)).toMatchObject({ made: 0 });
  });

  test.each([
    ["a state root that its machine does not compute", "WORKER_DIFFERS"],
    ["a tape that it does not have", "TAPE_MISSING"],
    ["a tape that is damaged", "TAPE_CORRUPT"],
    ["a strategy that does not load", "STRATEGY_BROKEN"],
  ])("%s, and the command ends with this error", async (_name, code) => {
    const cluster = await createClusterBench();
    const { bench } = cluster;
    if (code === "TAPE_CORRUPT") {
      const bytes = readFileSync(bench.tapePath);
      bytes[Math.floor(bytes.length / 3)]! ^= 0xff;
      writeFileSync(bench.tapePath, bytes);
    }
    if (code === "STRATEGY_BROKEN") writeFileSync(bench.strategyPath, "export default {{");
    const source = { id: "turns", path: bench.strategyPath, example: undefined };
    const strategy = hashStrategy(bench.strategyPath);
    const packed = packStrategy(strategy, source);
    const { strategies, ...rest } = bench.job();
    const job = { ...rest, strategies: [{ ...strategies[0]!, strategy }] };
    const gone = code === "TAPE_MISSING" ? { ...job, data: "1".repeat(64) } : job;
    const worker = await cluster.worker();
    const engine = await cluster.engine({
      ...(code === "WORKER_DIFFERS" ? { probe: "0x00" } : {}),
      code: packed,
    });
    await expect(recordsOf(engine, [gone])).rejects.toMatchObject({ code });
    // Another worker may have the right tape. A strategy is the same everywhere.
    expect(worker.err.includes(`failed and is tried again: ${code}`)).toBe(code !== "STRATEGY_BROKEN");
    expect(await readCounters(cluster.connection)).toMatchObject({ made: 0 });
  });
});
