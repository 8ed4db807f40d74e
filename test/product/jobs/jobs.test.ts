import { existsSync } from "node:fs";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { describe, expect, onTestFinished, test } from "vitest";
import type { JobEngine } from "../../../src/product/jobs/engine.ts";
import { createLocalJobs } from "../../../src/product/jobs/localJobs.ts";
import { createThreadJobs } from "../../../src/product/jobs/threads/threadJobs.ts";
import { createFolder } from "../../helpers/project.ts";
import { within } from "../../helpers/within.ts";
import { type Deed, TEST_KINDS } from "./kinds.ts";

let created = 0;
const create = () => {
  created++;
  return new Worker(new URL("./worker.ts", import.meta.url));
};

/** Engines that must not differ. */
const ENGINES: readonly (readonly [name: string, open: () => JobEngine])[] = [
  ["this thread", () => createLocalJobs(TEST_KINDS)],
  ["one other thread", () => createThreadJobs({ workers: 1, create, limitMs: 60_000 })],
  ["four other threads", () => createThreadJobs({ workers: 4, create, limitMs: 60_000 })],
];

function openOne(open: () => JobEngine): JobEngine {
  const engine = open();
  onTestFinished(() => engine.close());
  return engine;
}
const threads = (workers: number, limitMs = 60_000) => openOne(() => createThreadJobs({ workers, create, limitMs }));
const run = (engine: JobEngine, parts: readonly Deed[], shared = "") =>
  within("the batch", engine.run({ kind: "deeds", shared, parts }));
const say = (text: string, waitMs = 0): Deed => ({ kind: "say", text, waitMs });

describe.each(ENGINES)("jobs in %s", (_name, open) => {
  test("give their results in the order of the parts, with the shared text, and say when each is done", async () => {
    const engine = openOne(open);
    const done: number[] = [];
    const parts = [say("a", 60), say("b"), say("c", 20), say("d"), say("e")];
    const batch = { kind: "deeds", shared: "see ", parts };
    expect(await within("the batch", engine.run(batch, { onDone: (at) => void done.push(at) }))).toEqual([
      "see a",
      "see b",
      "see c",
      "see d",
      "see e",
    ]);
    expect(done.sort()).toEqual([0, 1, 2, 3, 4]);
    expect(await run(engine, [])).toEqual([]);
  });

  test("throw the error of the first part that fails, whichever fails first", async () => {
    const engine = openOne(open);
    const parts: Deed[] = [say("a"), { kind: "fail", code: "FIRST", waitMs: 60 }, { kind: "fail", code: "SECOND" }];
    await expect(run(engine, parts)).rejects.toMatchObject({ code: "FIRST", message: "it failed", hint: "do" });
    // No job starts after a failure. This one would leave a file.
    const marker = join(createFolder(), "begun");
    const rest: Deed[] = Array.from({ length: 8 }, () => say("later", 30));
    const late: Deed[] = [{ kind: "fail" }, ...rest, { kind: "exit", onceAt: marker }];
    await expect(run(engine, late)).rejects.toThrow("it failed");
    expect(existsSync(marker)).toBe(false);
    // The engine is as good as new.
    expect(await run(engine, [say("b")])).toEqual(["b"]);
  });

  test("throw an error without a code with its stack, as a fault of perplab", async () => {
    const error = await run(openOne(open), [{ kind: "fail" }]).catch((thrown: unknown) => thrown as Error);
    expect(error).toMatchObject({ name: "Error", message: "it failed" });
    expect("code" in (error as object)).toBe(false);
    expect((error as Error).stack).toContain("kinds.ts");
  });

  test("of a kind that is not in the table are a fault of perplab", async () => {
    const engine = openOne(open);
    for (const kind of ["other", "toString"]) {
      await expect(within("it", engine.run({ kind, shared: "", parts: [1] }))).rejects.toThrow(
        `there is no kind of job "${kind}"`,
      );
    }
  });

  test("that share a text open it once in a row", async () => {
    const engine = openOne(open);
    const [first, second] = await run(engine, [say("opened"), say("opened")], "one");
    const [third] = await run(engine, [say("opened")], "two");
    if (_name !== "four other threads") expect(second).toBe(first);
    expect([first, second]).not.toContain(_name === "four other threads" ? "" : third);
  });
});

describe("threads", () => {
  test("are made when they are needed, and no more than there are jobs", async () => {
    const before = created;
    const engine = threads(8);
    expect(created).toBe(before);
    await run(engine, [say("a", 5), say("b", 5)]);
    expect(created - before).toBeLessThanOrEqual(2);
  });

  test("that end with a job are replaced, and the job is made once more", async () => {
    const marker = join(createFolder(), "gone");
    expect(await run(threads(2), [{ kind: "exit", onceAt: marker }, say("b")])).toEqual(["made", "b"]);
  });

  test("that end twice with a job fail it", async () => {
    await expect(run(threads(2), [{ kind: "exit" }, say("b")])).rejects.toMatchObject({
      name: "JobError",
      code: "WORKER_LOST",
      message: "its thread ended twice: it ended with code 3",
    });
  });

  test("end a job that exceeds its limit, and make the next", async () => {
    const engine = threads(1, 150);
    await expect(run(engine, [{ kind: "hang" }])).rejects.toMatchObject({
      code: "JOB_TIMEOUT",
      message: "the job did not end within 150 ms",
    });
    expect(await run(engine, [say("b")])).toEqual(["b"]);
  });

  test("drop the jobs under way when the signal comes, and throw its reason", async () => {
    const engine = threads(2);
    const abort = new AbortController();
    const parts: Deed[] = [{ kind: "hang" }, { kind: "hang" }, say("c")];
    const batch = within("the batch", engine.run({ kind: "deeds", shared: "", parts }, { signal: abort.signal }));
    setTimeout(() => abort.abort(new Error("enough")), 50);
    await expect(batch).rejects.toThrow("enough");
    expect(await run(engine, [say("d")])).toEqual(["d"]);
  });

  test("serve several batches at once, within their number", async () => {
    const engine = threads(2);
    const batches = [1, 2, 3, 4].map((at) => run(engine, [say(`${at}a`, 5), say(`${at}b`)]));
    expect(await Promise.all(batches)).toEqual([1, 2, 3, 4].map((at) => [`${at}a`, `${at}b`]));
  });
});
