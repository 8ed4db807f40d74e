import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import type { Outcome } from "../../../src/product/cluster/queue/task.ts";
import { createTimeout } from "../../../src/proof/cluster/caseTimeout.ts";
import { QueueRounds } from "../../../src/proof/cluster/queueCrew.ts";
import type { JobResult } from "../../../src/proof/fuzz/campaign/execute.ts";
import type { Job } from "../../../src/proof/fuzz/campaign/job.ts";
import type { ShiftPlan } from "../../../src/proof/fuzz/campaign/workerPool.ts";
import { within } from "../../helpers/within.ts";
import { createJob, createResult, FakeQueue, shared } from "./helpers.ts";

const jobs = [10, 11, 12, 13].map((iteration) => createJob(iteration));
const iterationsOf = (tasks: readonly { readonly body: unknown }[]) =>
  tasks.map(({ body }) => (body as { readonly job: Job }).job.iteration);
const failed = (fields: { code: string; message: string; place?: string }) => (): Outcome => ({
  kind: "failed",
  ...fields,
});
const timeout = failed(createTimeout(7, 1_000) as { code: string; message: string; place: string });

/** Lets the round take the outcomes that have come. */
const settle = () => sleep(1);

function start(isOver: (first: readonly JobResult[]) => boolean = () => false, plan?: ShiftPlan) {
  const queue = new FakeQueue();
  const rounds = new QueueRounds({ sender: queue, hints: queue.hints, shared });
  return { queue, rounds, shift: within("the round", rounds.run(jobs, isOver, plan)) };
}

describe("a round on a queue", () => {
  test("sends jobs in the given order, and returns results in the order of the jobs", async () => {
    const { queue, shift } = start(undefined, { order: [2, 1, 3, 0] });
    await queue.isSent;
    expect(iterationsOf(queue.sent)).toEqual([12, 11, 13, 10]);
    for (const iteration of [13, 10, 12, 11]) queue.end(iteration);
    expect(await shift).toEqual({ results: [10, 11, 12, 13].map(createResult) });
    expect(queue.withdrawn).toEqual([]);
  });

  test("ends with the first results that are enough, and takes the other jobs back", async () => {
    const { queue, shift } = start((first) => first.length >= 2);
    await queue.isSent;
    for (const iteration of [13, 11, 10]) queue.end(iteration);
    const { results } = await shift;
    expect(results.slice(0, 2)).toEqual([10, 11].map(createResult));
    expect(iterationsOf(queue.withdrawn)).toEqual([12]);
  });

  test("ends without a result when its time is over", async () => {
    let isOver = false;
    const { queue, shift } = start(() => isOver);
    await queue.isSent;
    isOver = true;
    expect(await shift).toEqual({ results: [] });
    expect(iterationsOf(queue.withdrawn)).toEqual([10, 11, 12, 13]);
  });

  test("waits for the results before a case that exceeded its limit, and drops those after it", async () => {
    const { queue, shift } = start();
    await queue.isSent;
    // The round sees each of these before the next one.
    for (const [iteration, outcome] of [[12, timeout], [13], [11, timeout]] as const) {
      queue.end(iteration, outcome);
      await settle();
    }
    expect(queue.withdrawn).toEqual([]);
    queue.end(10);
    expect(await shift).toEqual({ results: [createResult(10)], timedOut: { job: jobs[1], height: 7 } });
  });

  test("does not report a case over its limit that comes after enough results", async () => {
    const { queue, shift } = start((first) => first.length >= 1);
    await queue.isSent;
    queue.end(12, timeout);
    queue.end(10);
    expect(await shift).toEqual({ results: [createResult(10)] });
  });

  test("fails with the error of a worker, and takes the other jobs back", async () => {
    const { queue, shift } = start();
    await queue.isSent;
    queue.end(11, failed({ code: "WORKER_DIFFERS", message: "another root" }));
    await expect(shift).rejects.toMatchObject({ code: "WORKER_DIFFERS", message: "another root" });
    expect(iterationsOf(queue.withdrawn)).toContain(12);
  });

  test("refuses the result of another case", async () => {
    const { queue, shift } = start();
    await queue.isSent;
    queue.end(10, () => ({ kind: "done", text: JSON.stringify({ ...createResult(10), id: "case-00" }) }));
    await expect(shift).rejects.toMatchObject({ code: "JOB_MALFORMED" });
  });

  // Goal: a worker has a job while others still make the last ones of a round, and the round does not wait for it.
  test("sends jobs of the next round after its own, and takes them back at the end only", async () => {
    const ahead = [20, 21].map((iteration) => createJob(iteration));
    const { queue, rounds, shift } = start(undefined, { order: [1, 0, 2, 3], ahead });
    await queue.isSent;
    expect(iterationsOf(queue.sent)).toEqual([11, 10, 12, 13, 20, 21]);
    for (const iteration of [20, 10, 11, 12, 13]) queue.end(iteration);
    expect(await shift).toEqual({ results: [10, 11, 12, 13].map(createResult) });
    expect(queue.withdrawn).toEqual([]);

    const next = within(
      "the next round",
      rounds.run([createJob(19), ...ahead], () => false),
    );
    queue.end(21);
    expect(iterationsOf(queue.sent).slice(6)).toEqual([19, 20, 21]);
    queue.end(19);
    expect(await next).toEqual({ results: [19, 20, 21].map(createResult) });
    expect(queue.withdrawn).toEqual([]);
  });

  test("does not end with a case of the next round that exceeds its limit, and reports it there", async () => {
    const ahead = [createJob(20)];
    const { queue, rounds, shift } = start(undefined, { ahead });
    await queue.isSent;
    queue.end(20, timeout);
    await settle();
    for (const iteration of [10, 11, 12, 13]) {
      queue.end(iteration);
      await settle();
    }
    expect(await shift).toEqual({ results: [10, 11, 12, 13].map(createResult) });
    const next = rounds.run(ahead, () => false);
    expect(await within("the next round", next)).toEqual({ results: [], timedOut: { job: ahead[0], height: 7 } });
  });

  test("takes the jobs of a next round back when none comes", async () => {
    const { queue, rounds, shift } = start((first) => first.length >= 1, { ahead: [createJob(20)] });
    await queue.isSent;
    queue.end(10);
    await shift;
    expect(iterationsOf(queue.withdrawn)).toEqual([11, 12, 13]);
    await rounds.close();
    expect(iterationsOf(queue.withdrawn)).toEqual([11, 12, 13, 20]);
  });
});
