import { EventEmitter } from "node:events";
import type { Worker } from "node:worker_threads";
import { expect, test } from "vitest";
import { createCaseHandler } from "../../../src/proof/cluster/caseHandler.ts";
import { readResult } from "../../../src/proof/cluster/caseResult.ts";
import { createCaseTask } from "../../../src/proof/cluster/caseTask.ts";
import type { Setup } from "../../../src/proof/fuzz/campaign/execute.ts";
import type { Reply, Task } from "../../../src/proof/fuzz/campaign/workerPool.ts";
import { within } from "../../helpers/within.ts";
import { createJob, createResult, setup, shared } from "./helpers.ts";

type Answer = "result" | "silence" | "end";

/** Threads that answer as the test says, and a list of those that were made and ended. */
function createThreads(answer: () => Answer = () => "result") {
  const made: Setup[] = [];
  let ended = 0;
  const threads: EventEmitter[] = [];
  const create = (own: Setup) => {
    made.push(own);
    const thread = Object.assign(new EventEmitter(), {
      postMessage({ job, height }: Task) {
        height[0] = 7;
        const send = (reply: Reply) => queueMicrotask(() => thread.emit("message", reply));
        send({ kind: "begun" });
        const kind = answer();
        if (kind === "result") send({ kind: "done", result: createResult(job.iteration) });
        if (kind === "end") queueMicrotask(() => thread.emit("exit", 1));
      },
      async terminate() {
        ended++;
        thread.emit("exit", 1);
        return 0;
      },
    });
    threads.push(thread);
    return thread as unknown as Worker;
  };
  return { made, threads, create, ended: () => ended };
}

const signal = () => new AbortController().signal;
const taskOf = (iteration: number, own = setup) =>
  createCaseTask(createJob(iteration), { ...shared, setup: own, caseMs: 20 });
/** A handler whose tasks fail the test if they do not end. */
function handlerOf(create: (own: Setup) => Worker) {
  const { handler, close } = createCaseHandler({ concurrency: 1, probe: "0x00", create });
  const bounded: typeof handler = (task, abort) => within("the case", handler(task, abort));
  return { handler: bounded, close };
}

test("a thread is kept for cases with its settings, and makes room for others", async () => {
  const { made, create, ended } = createThreads();
  const { handler, close } = handlerOf(create);
  for (const task of [taskOf(1), taskOf(2)]) {
    const { iteration } = (task.body as { job: { iteration: number } }).job;
    expect(readResult(task.id, await handler(task, signal()))).toEqual(createResult(iteration));
  }
  expect(made).toEqual([setup]);
  await handler(taskOf(3, { ...setup, model: true }), signal());
  expect([made.length, ended()]).toEqual([2, 1]);
  await close();
  expect(ended()).toBe(2);
});

test("a case that exceeds its limit ends its thread, and fails without another attempt, with the height of its last block", async () => {
  const { made, create, ended } = createThreads(() => (made.length === 1 ? "silence" : "result"));
  const { handler } = handlerOf(create);
  await expect(handler(taskOf(1), signal())).rejects.toMatchObject({
    failure: { code: "CASE_TIMEOUT", place: "block 7" },
  });
  expect(ended()).toBe(1);
  await handler(taskOf(2), signal());
  expect(made).toHaveLength(2);
});

test("a thread that ends with a case is a fault that is tried again, and one that ended idle is replaced", async () => {
  const { made, threads, create } = createThreads(() => (made.length === 1 ? "end" : "result"));
  const { handler } = handlerOf(create);
  const lost = await handler(taskOf(1), signal()).catch((error: unknown) => error);
  expect(lost).toMatchObject({ name: "FuzzError", code: "WORKER_LOST" });
  await handler(taskOf(1), signal());
  threads[1]!.emit("exit", 1);
  await handler(taskOf(2), signal());
  expect(made).toHaveLength(3);
});

test("a case that is cancelled ends its thread", async () => {
  const { create, ended } = createThreads(() => "silence");
  const { handler } = handlerOf(create);
  const abort = new AbortController();
  const task = createCaseTask(createJob(1), { ...shared, caseMs: 600_000 });
  const end = handler(task, abort.signal);
  abort.abort();
  await expect(end).rejects.toMatchObject({ failure: { code: "JOB_CANCELLED" } });
  expect(ended()).toBeGreaterThan(0);
});

test("a machine that computes another state root runs no case", async () => {
  const { made, create } = createThreads();
  const { handler } = createCaseHandler({ concurrency: 1, probe: "0x01", create });
  await expect(handler(taskOf(1), signal())).rejects.toMatchObject({ code: "WORKER_DIFFERS" });
  expect(made).toEqual([]);
});

test("a job of another kind fails without another attempt", async () => {
  const { handler } = handlerOf(createThreads().create);
  await expect(handler({ ...taskOf(1), kind: "run" }, signal())).rejects.toMatchObject({
    failure: { code: "JOB_MALFORMED" },
  });
});
