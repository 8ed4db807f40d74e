import { describe, expect, test } from "vitest";
import type { Outcome } from "../../../src/product/cluster/queue/task.ts";
import { createTimeout } from "../../../src/proof/cluster/caseTimeout.ts";
import { Round } from "../../../src/proof/cluster/queueCrew.ts";
import type { JobResult } from "../../../src/proof/fuzz/campaign/execute.ts";
import type { Job } from "../../../src/proof/fuzz/campaign/job.ts";
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

function start(isOver: (first: readonly JobResult[]) => boolean = () => false, order?: readonly number[]) {
  const queue = new FakeQueue();
  return { queue, shift: within("the round", new Round(jobs, isOver, shared).run(queue, queue.hints, order)) };
}

describe("a round on a queue", () => {
  test("sends jobs in the given order, and returns results in the order of the jobs", async () => {
    const { queue, shift } = start(undefined, [2, 1, 3, 0]);
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
    queue.end(12, timeout);
    queue.end(13);
    queue.end(11, timeout);
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
});
