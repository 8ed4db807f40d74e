import { once } from "node:events";
import { expect, onTestFinished, test } from "vitest";
import { openQueue, TASK_OPTIONS, type Task } from "../../../../src/product/cluster/queue/task.ts";
import { createTaskHandler } from "../../../../src/product/cluster/queue/taskHandler.ts";
import { startWorker, type TaskHandler } from "../../../../src/product/cluster/queue/worker.ts";
import { NO_REDIS } from "../../../helpers/cluster/redis.ts";
import { openConnection } from "./helpers.ts";

const withRedis = test.skipIf(NO_REDIS !== undefined);
if (NO_REDIS !== undefined) test.skip(`workers are not tested: ${NO_REDIS}`, () => undefined);

const line = { perplab: "0", code: "a".repeat(64), node: 24 };
const id = `run-${"1".repeat(64)}`;
const task: Task = { id, kind: "run", line, body: null };

// A second signal comes while the first one waits for the running job.
withRedis.each(["at once", "after it began to drain"])(
  "a worker that ends %s leaves its job to another",
  async (when) => {
    const connection = await openConnection();
    const queue = openQueue(connection, line);
    onTestFinished(() => queue.close());
    await queue.add(task.kind, task, { ...TASK_OPTIONS, jobId: id });
    const failed: string[] = [];
    const events = {
      onDone: () => undefined,
      onFailed: (name: string) => void failed.push(name),
      onTrouble: () => undefined,
    };
    const shared = { line, concurrency: 1, takeoverMs: 500, events };
    let begin = () => undefined as void;
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const held: TaskHandler = async (_task, signal) => {
      begin();
      await once(signal, "abort");
      throw new Error("its thread was ended");
    };
    const first = await startWorker(connection, { ...shared, name: "a", handler: createTaskHandler(held, new Set()) });
    await begun;
    const drained = when === "at once" ? undefined : first.drain();
    await first.close();
    await drained;
    expect(await queue.getJobState(id)).not.toBe("failed");
    const done = new Promise<string>((resolve) => {
      const own = { ...events, onDone: (made: Task) => resolve(made.id) };
      const settings = { ...shared, name: "b", events: own, handler: async () => "result" };
      void startWorker(connection, settings).then((worker) => onTestFinished(() => worker.close()));
    });
    expect(await done).toBe(id);
    expect(failed).toEqual([]);
  },
);
