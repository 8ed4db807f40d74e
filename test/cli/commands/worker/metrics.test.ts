import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { serveMetrics } from "../../../../src/cli/commands/worker/serveMetrics.ts";
import type { Task } from "../../../../src/product/cluster/queue/task.ts";
import { callCli } from "../../../helpers/cli.ts";

const task: Task = { id: "run-1", kind: "run", line: { perplab: "0", code: "c", node: 24 }, body: null };
const never = new AbortController().signal;

async function open() {
  const served = await serveMetrics("127.0.0.1", 0);
  onTestFinished(() => served.close());
  const scrape = async () => {
    const response = await fetch(served.url);
    expect(response.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
    return response.text();
  };
  return { ...served, scrape };
}

test("count what a worker reports, and pass it on", async () => {
  const { metrics, scrape } = await open();
  const passed: unknown[] = [];
  const events = metrics.count({
    onDone: (...args) => void passed.push(args),
    onFailed: (...args) => void passed.push(args),
    onTrouble: (...args) => void passed.push(args),
  });
  expect(await scrape()).toContain('perplab_worker_jobs_total{outcome="spared"} 0\n');
  const failure = { code: "TAPE_MISSING", message: "not here" };
  events.onDone(task, false);
  events.onDone(task, false);
  events.onDone(task, true);
  events.onFailed("run-2", failure, false);
  events.onFailed("run-2", failure, true);
  events.onTrouble("away");
  const text = await scrape();
  expect(text).toContain('perplab_worker_jobs_total{outcome="done"} 2\n');
  expect(text).toContain('perplab_worker_jobs_total{outcome="spared"} 1\n');
  expect(text).toContain('perplab_worker_failed_attempts_total{code="TAPE_MISSING",final="false"} 1\n');
  expect(text).toContain('perplab_worker_failed_attempts_total{code="TAPE_MISSING",final="true"} 1\n');
  expect(passed).toHaveLength(6);
});

test("measure jobs, those that fail included, and count those under way", async () => {
  const { metrics, scrape } = await open();
  let end: (error?: Error) => void = () => undefined;
  const handler = metrics.time(
    () => new Promise((resolve, reject) => (end = (error) => (error === undefined ? resolve("text") : reject(error)))),
  );
  for (const error of [undefined, new Error("oh")]) {
    const result = handler(task, never).catch((reason: unknown) => reason);
    expect(await scrape()).toContain("perplab_worker_jobs_under_way 1\n");
    end(error);
    expect(await result).toBe(error ?? "text");
  }
  const text = await scrape();
  expect(text).toContain("perplab_worker_jobs_under_way 0\n");
  expect(text).toContain('perplab_worker_job_seconds_count{kind="run"} 2\n');
});

test("have the lengths of the queue, and none while Redis is away", async () => {
  const { metrics, scrape } = await open();
  expect(await scrape()).toContain("perplab_redis_up 0\n");
  metrics.watchQueue(async () => ({ waiting: 7, failed: 0 }));
  const text = await scrape();
  expect(text).toContain('perplab_queue_jobs{state="waiting"} 7\n');
  expect(text).toContain('perplab_queue_jobs{state="failed"} 0\n');
  expect(text).toContain("perplab_redis_up 1\n");
  for (const read of [() => Promise.reject(new Error("refused")), async () => undefined]) {
    metrics.watchQueue(read);
    const away = await scrape();
    expect(away).toContain("perplab_redis_up 0\n");
    expect(away).not.toContain("perplab_queue_jobs{");
  }
});

test("are read at their own path alone", async () => {
  const { url } = await open();
  expect((await fetch(url.replace("/metrics", "/"))).status).toBe(404);
  expect((await fetch(url, { method: "POST" })).status).toBe(404);
  expect((await fetch(url, { method: "HEAD" })).status).toBe(200);
  expect((await fetch(`${url}?any`)).status).toBe(200);
});

test("are refused at a port that is taken, before Redis is asked", async () => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void other.close());
  const { port } = other.address() as AddressInfo;
  const { exitCode, err } = await callCli("worker", "--redis", "redis://127.0.0.1:1", "--metrics", `${port}`);
  expect(err).toContain(`error PORT_TAKEN --metrics: another program already listens on 127.0.0.1:${port}`);
  expect(err).toContain("give --metrics another number, or 0 for any that is free");
  expect(exitCode).toBe(1);
});

test("are refused at an address that this machine does not have", async () => {
  const own = ["--metrics", "0", "--metrics-host", "203.0.113.1"];
  const { exitCode, err } = await callCli("worker", "--redis", "redis://127.0.0.1:1", ...own);
  expect(err).toContain("error ADDRESS_UNKNOWN --metrics-host: this machine has no address 203.0.113.1");
  expect(exitCode).toBe(2);
});

test("are refused at an address without a port, and at a port that is none", async () => {
  const at = ["worker", "--redis", "redis://127.0.0.1:1"];
  const alone = await callCli(...at, "--metrics-host", "127.0.0.1");
  expect([alone.exitCode, alone.err]).toEqual([2, expect.stringContaining("error OPTION_MISSING --metrics-host")]);
  const large = await callCli(...at, "--metrics", "70000");
  expect([large.exitCode, large.err]).toEqual([2, expect.stringContaining("error OPTION_INVALID --metrics")]);
});
