import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { createJobHandler } from "../../../../src/product/cluster/jobs/jobHandler.ts";
import { createJobTask, readJobResult } from "../../../../src/product/cluster/jobs/jobTask.ts";
import type { Connection } from "../../../../src/product/cluster/queue/connection.ts";
import { createContent } from "../../../../src/product/cluster/queue/contents.ts";
import type { JobEngine } from "../../../../src/product/jobs/engine.ts";
import { JobError } from "../../../../src/product/jobs/errors.ts";
import { createLocalJobs } from "../../../../src/product/jobs/localJobs.ts";
import { within } from "../../../helpers/within.ts";
import { TEST_KINDS } from "../../jobs/kinds.ts";

const shared = { line: { perplab: "0.1.0", code: "ab".repeat(32), node: 24 }, probe: "0x00" };
const signal = () => new AbortController().signal;

/** A handler over a Redis that has these texts. */
function openHandler(texts: readonly string[] = [], engine: JobEngine = createLocalJobs(TEST_KINDS), probe = "0x00") {
  const reads: string[] = [];
  const stored = new Map(texts.map((text) => [createContent(text).sha256, gzipSync(text)]));
  const redis = {
    async getBuffer(key: string) {
      reads.push(key);
      return stored.get(key.split(":").at(-1)!) ?? null;
    },
  };
  const connection = { redis, prefix: "test" } as unknown as Connection;
  return { handler: createJobHandler({ connection, probe, engine, kinds: Object.keys(TEST_KINDS) }), reads };
}
const taskOf = (part: unknown, text?: string, kind = "deeds") =>
  createJobTask(kind, text === undefined ? undefined : createContent(text), part, shared);
const say = (text: string) => ({ kind: "say", text });

test("a job is made with the text that it shares, which is read once for jobs in a row", async () => {
  const { handler, reads } = openHandler(["see ", "or "]);
  for (const [text, word, result] of [
    ["see ", "a", "see a"],
    ["see ", "b", "see b"],
    ["or ", "c", "or c"],
  ] as const) {
    const task = taskOf(say(word), text);
    expect(readJobResult(task.id, await handler(task, signal()))).toBe(result);
  }
  expect(reads).toHaveLength(2);
  const alone = taskOf(say("d"));
  expect(readJobResult(alone.id, await handler(alone, signal()))).toBe("d");
});

test("a shared text that Redis does not have is a fault that is tried again", async () => {
  const lost = await openHandler()
    .handler(taskOf(say("a"), "gone"), signal())
    .catch((error: unknown) => error);
  expect(lost).toMatchObject({ name: "ClusterError", code: "SHARED_MISSING" });
});

test("an error of the job is final, with its code; a lost thread is tried again", async () => {
  await expect(openHandler().handler(taskOf({ kind: "fail", code: "BROKEN" }), signal())).rejects.toMatchObject({
    failure: { code: "BROKEN", message: "it failed", hint: "do" },
  });
  const engine: JobEngine = {
    run: async () => {
      throw new JobError("WORKER_LOST", "its thread ended twice");
    },
    close: async () => undefined,
  };
  const lost = await openHandler([], engine)
    .handler(taskOf(say("a")), signal())
    .catch((error: unknown) => error);
  expect(lost).toMatchObject({ name: "JobError", code: "WORKER_LOST" });
});

test("a machine that computes another state root makes no job, and asks for another worker", async () => {
  const lost = await openHandler([], undefined, "0x01")
    .handler(taskOf(say("a")), signal())
    .catch((error) => error);
  expect(lost).toMatchObject({ name: "ClusterError", code: "WORKER_DIFFERS" });
});

test("a job of another kind fails without another attempt", async () => {
  await expect(openHandler().handler(taskOf(say("a"), undefined, "run"), signal())).rejects.toMatchObject({
    failure: { code: "JOB_MALFORMED", message: 'there is no kind of job "run"' },
  });
});

test("a job that is cancelled ends, and fails without another attempt", async () => {
  const engine: JobEngine = {
    run: (_batch, events = {}) =>
      new Promise((_, reject) => {
        events.signal?.addEventListener("abort", () => reject(events.signal?.reason));
      }),
    close: async () => undefined,
  };
  const abort = new AbortController();
  const end = within("the job", openHandler([], engine).handler(taskOf(say("a")), abort.signal));
  setTimeout(() => abort.abort(), 5);
  await expect(end).rejects.toMatchObject({ failure: { code: "JOB_CANCELLED" } });
});
