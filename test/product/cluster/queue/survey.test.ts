import { expect, onTestFinished, test } from "vitest";
import type { Connection } from "../../../../src/product/cluster/queue/connection.ts";
import { keysOf } from "../../../../src/product/cluster/queue/keys.ts";
import type { Line } from "../../../../src/product/cluster/queue/line.ts";
import { cancelJobs, findJob, JOB_STATES, listJobs, retryJobs } from "../../../../src/product/cluster/queue/survey.ts";
import { openQueue, shortenName, TASK_OPTIONS } from "../../../../src/product/cluster/queue/task.ts";
import { NO_REDIS } from "../../../helpers/cluster/redis.ts";
import { openConnection } from "./helpers.ts";

const withRedis = test.skipIf(NO_REDIS !== undefined);
if (NO_REDIS !== undefined) test.skip(`jobs in Redis are not tested: ${NO_REDIS}`, () => undefined);

const line: Line = { perplab: "0", code: "a".repeat(64), node: 24 };
const HASHES = ["1", "2"].map((digit) => digit.repeat(64));

/** Two jobs of a bench, whose kind has hyphens; the first one has failed. */
async function openJobs(): Promise<{ readonly connection: Connection; readonly ids: readonly string[] }> {
  const connection = await openConnection();
  const { bullmq, redis, prefix } = connection;
  const queue = openQueue(connection, line);
  onTestFinished(() => queue.close());
  const ids = HASHES.map((hash) => `mutation-tests-${hash}`);
  for (const id of ids) {
    await queue.add("mutation-tests", { id, kind: "mutation-tests", line, body: null }, { ...TASK_OPTIONS, jobId: id });
  }
  const worker = new bullmq.Worker(queue.name, null, { connection: redis, prefix, autorun: false });
  const job = await worker.getNextJob("token");
  await job!.moveToFailed(new bullmq.UnrecoverableError('{"code":"JOB_CANCELLED","message":"it"}'), "token", false);
  await worker.close();
  return { connection, ids };
}

withRedis("a job that was cancelled while it ran, and is tried again, is not cancelled again", async () => {
  const { connection, ids } = await openJobs();
  const { redis, prefix } = connection;
  const mark = keysOf(prefix).cancelled(ids[0]!);
  await redis.set(mark, "1");
  await retryJobs(connection, await listJobs(connection, ["failed"], 10));
  expect(await redis.exists(mark)).toBe(0);
  expect((await listJobs(connection, ["waiting"], 10)).map(({ id }) => id).sort()).toEqual(ids);
});

withRedis("jobs of a full Redis can be cancelled, which makes room in it", async () => {
  const connection = await openConnection();
  const { redis, prefix } = connection;
  const queue = openQueue(connection, line);
  onTestFinished(() => queue.close());
  const jobs = Array.from({ length: 40 }, (_, at) => {
    const id = `run-${`${at}`.padStart(64, "0")}`;
    const data = { id, kind: "run", line, body: "x".repeat(20_000) };
    return { name: "run", data, opts: { ...TASK_OPTIONS, jobId: id } };
  });
  await queue.addBulk(jobs);
  const used = Number(/used_memory:(\d+)/.exec(await redis.info("memory"))![1]);
  await redis.config("SET", "maxmemory", used - 100_000);
  await expect(redis.set("any", "1")).rejects.toThrow("OOM");
  await cancelJobs(connection, await listJobs(connection, JOB_STATES, 100));
  expect(await listJobs(connection, JOB_STATES, 100)).toEqual([]);
  expect(await redis.exists(jobs.map(({ data }) => keysOf(prefix).cancelled(data.id)))).toBe(jobs.length);
});

withRedis("a list of no jobs has none", async () => {
  const { connection } = await openJobs();
  expect(await listJobs(connection, ["waiting", "failed"], 0)).toEqual([]);
  expect(await listJobs(connection, ["waiting", "failed"], 1)).toHaveLength(2);
});

withRedis("a job has a short name that finds it, also if its kind has hyphens", async () => {
  const { connection, ids } = await openJobs();
  const names = ids.map(shortenName);
  expect(names).toEqual(["mutation-tests-111111111111", "mutation-tests-222222222222"]);
  for (const [at, name] of names.entries()) expect(await findJob(connection, name)).toMatchObject({ id: ids[at] });
  expect(await findJob(connection, "2222")).toMatchObject({ id: ids[1], state: "waiting" });
  await expect(findJob(connection, "mutation")).rejects.toMatchObject({ code: "JOB_UNKNOWN" });
  await expect(findJob(connection, "")).rejects.toThrow("the name of a job is empty");
});
