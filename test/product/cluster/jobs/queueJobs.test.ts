import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { createJobTask, type JobTask, writeJobResult } from "../../../../src/product/cluster/jobs/jobTask.ts";
import { HintBoard, runOnQueue } from "../../../../src/product/cluster/jobs/queueJobs.ts";
import { createContent } from "../../../../src/product/cluster/queue/contents.ts";
import type { Task } from "../../../../src/product/cluster/queue/task.ts";
import type { JobEvents } from "../../../../src/product/jobs/engine.ts";
import { within } from "../../../helpers/within.ts";
import { FakeQueue } from "./helpers.ts";

const shared = { line: { perplab: "0.1.0", code: "ab".repeat(32), node: 24 }, probe: "0x00" };
const done = ({ id }: Task, text: string) => ({ kind: "done" as const, text: writeJobResult(id, text) });
const failed = (code: string) => ({ kind: "failed" as const, code, message: "it failed", hint: "do" });
const partsOf = (tasks: readonly Task[]) => tasks.map(({ body }) => (body as JobTask).part);

function start(parts: readonly unknown[], text = "", events: JobEvents = {}, queue = new FakeQueue()) {
  const result = within(
    "the batch",
    runOnQueue(queue, queue.hints, { kind: "paths", shared: text, parts }, shared, events, 5),
  );
  return { queue, result };
}

describe("a batch on a queue", () => {
  test("gives results in the order of the parts, and reports each that is done", async () => {
    const places: number[] = [];
    const { queue, result } = start([1, 2, 3], "", { onDone: (at) => void places.push(at) });
    await queue.isSent;
    const [one, two, three] = queue.sent as [Task, Task, Task];
    for (const [task, text] of [
      [three, "c"],
      [one, "a\nb"],
      [two, ""],
    ] as const) {
      queue.end(task.id, done(task, text));
    }
    expect(await result).toEqual(["a\nb", "", "c"]);
    expect([places.sort(), queue.withdrawn, queue.kept]).toEqual([[0, 1, 2], [], []]);
  });

  test("stores the shared text before its jobs are sent, and names it in each", async () => {
    const { queue, result } = start([1, 1], "much");
    await queue.isSent;
    expect(queue.kept).toEqual([createContent("much")]);
    // Equal parts are one job.
    expect(queue.sent).toHaveLength(1);
    const [task] = queue.sent;
    expect((task!.body as JobTask).shared).toBe(createContent("much").sha256);
    queue.end(task!.id, done(task!, "a"));
    expect(await result).toEqual(["a", "a"]);
  });

  test("is woken by its own jobs while another batch waits for its jobs", async () => {
    // Without a hint, a batch would look for its results in an hour.
    const board = new HintBoard();
    const [one, two] = [new FakeQueue(), new FakeQueue()];
    const make = (queue: FakeQueue, part: number) =>
      board.use((hints) =>
        runOnQueue(queue, hints, { kind: "paths", shared: "", parts: [part] }, shared, {}, 3_600_000),
      );
    const results = within("both batches", Promise.all([make(one, 1), make(two, 2)]));
    await Promise.all([one.isSent, two.isSent]);
    await sleep(5);
    for (const queue of [two, one]) {
      const [task] = queue.sent as [Task];
      queue.ended.set(task.id, done(task, "made"));
      board.add(task.id);
      await sleep(5);
    }
    expect(await results).toEqual([["made"], ["made"]]);
  });

  test("sends nothing whose result is there", async () => {
    const queue = new FakeQueue();
    const task = createJobTask("paths", undefined, 1, shared);
    queue.ended.set(task.id, done(task, "a"));
    expect(await start([1], "", {}, queue).result).toEqual(["a"]);
    expect(queue.sent).toEqual([]);
  });

  test("throws the failure of the first part that failed, and takes the jobs after it back", async () => {
    const { queue, result } = start([1, 2, 3, 4]);
    await queue.isSent;
    const [one, two, three] = queue.sent as [Task, Task, Task];
    queue.end(three.id, failed("LATER"));
    queue.end(two.id, failed("WORKER_DIFFERS"));
    queue.end(one.id, done(one, "a"));
    await expect(result).rejects.toMatchObject({
      name: "JobError",
      code: "WORKER_DIFFERS",
      message: "it failed",
      hint: "do",
    });
    expect(partsOf(queue.withdrawn)).toEqual([2, 3, 4]);
  });

  test("names an error without a code of its own for a job", async () => {
    const { queue, result } = start([1]);
    await queue.isSent;
    queue.end(queue.sent[0]!.id, failed("RUN_FAILED"));
    await expect(result).rejects.toMatchObject({ code: "JOB_FAILED" });
  });

  test("refuses the result of another job", async () => {
    const { queue, result } = start([1]);
    await queue.isSent;
    queue.end(queue.sent[0]!.id, { kind: "done", text: writeJobResult("paths-00", "a") });
    await expect(result).rejects.toMatchObject({ code: "JOB_MALFORMED" });
  });

  test("ends with the reason of its signal, and takes its jobs back", async () => {
    const abort = new AbortController();
    const { queue, result } = start([1, 2], "", { signal: abort.signal });
    await queue.isSent;
    abort.abort(new Error("enough"));
    await expect(result).rejects.toThrow("enough");
    expect(partsOf(queue.withdrawn)).toEqual([1, 2]);
  });
});

describe("the name of a job", () => {
  const idOf = (...of: Parameters<typeof createJobTask>) => createJobTask(...of).id;
  const own = idOf("paths", createContent("a"), { chunk: 1 }, shared);
  const line = (over: object) => ({ ...shared, line: { ...shared.line, ...over } });

  test.each([
    ["another kind", idOf("scenario", createContent("a"), { chunk: 1 }, shared)],
    ["another shared text", idOf("paths", createContent("b"), { chunk: 1 }, shared)],
    ["no shared text", idOf("paths", undefined, { chunk: 1 }, shared)],
    ["another part", idOf("paths", createContent("a"), { chunk: 2 }, shared)],
    ["other code", idOf("paths", createContent("a"), { chunk: 1 }, line({ code: "cd".repeat(32) }))],
    ["another Node line", idOf("paths", createContent("a"), { chunk: 1 }, line({ node: 26 }))],
  ])("changes with %s", (_name, id) => {
    expect(id).toMatch(/^[a-z]+-[0-9a-f]{64}$/);
    expect(id).not.toBe(own);
  });

  test("depends neither on the machine nor on the words of a version", () => {
    expect(idOf("paths", createContent("a"), { chunk: 1 }, { ...line({ perplab: "9" }), probe: "0x01" })).toBe(own);
  });
});
