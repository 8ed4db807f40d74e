import { EventEmitter } from "node:events";
import type { Worker } from "node:worker_threads";
import { describe, expect, test } from "vitest";
import { Campaign } from "../../../../src/proof/fuzz/campaign/campaign.ts";
import type { JobResult } from "../../../../src/proof/fuzz/campaign/execute.ts";
import { costOf, type Job, orderByCost } from "../../../../src/proof/fuzz/campaign/job.ts";
import { SEARCH_PROFILES } from "../../../../src/proof/fuzz/campaign/profiles.ts";
import { runCampaign } from "../../../../src/proof/fuzz/campaign/runCampaign.ts";
import { createCrew, type Reply, type Task } from "../../../../src/proof/fuzz/campaign/workerPool.ts";
import { createCase } from "../../../../src/proof/fuzz/case/fuzzCase.ts";
import { GENE_WIDTH } from "../../../../src/proof/fuzz/genes/choices.ts";

const jobOf = (iteration: number, genes: number, how: Partial<Job> = {}): Job => ({
  iteration,
  given: createCase([], new Uint16Array(genes * GENE_WIDTH)),
  ...{ thorough: false, again: false, restored: false, metamorphic: false },
  ...how,
});

const resultOf = ({ iteration, given }: Job): JobResult => ({
  iteration,
  transactions: given.genes.length / GENE_WIDTH,
  blocks: 1,
  genes: given.genes.length / GENE_WIDTH,
  digest: "0x00",
  reached: new Uint32Array(0),
  reachedAt: new Uint16Array(0),
  met: [],
  nearest: [],
});

/** Threads that reply to a job at once and record the jobs in order. They never reply to the silent jobs. */
function createThreads(begun: number[], silent: readonly number[] = []) {
  return () => {
    const worker = Object.assign(new EventEmitter(), {
      postMessage({ job, height }: Task) {
        begun.push(job.iteration);
        height[0] = 7;
        const send = (reply: Reply) => queueMicrotask(() => worker.emit("message", reply));
        send({ kind: "begun" });
        if (!silent.includes(job.iteration)) send({ kind: "done", result: resultOf(job) });
      },
      terminate: async () => 0,
    });
    return worker as unknown as Worker;
  };
}

const jobs = [jobOf(10, 20), jobOf(11, 400), jobOf(12, 90, { thorough: true }), jobOf(13, 100)];

describe("several threads", () => {
  test("start with the longest jobs, and return results in the order of the jobs", async () => {
    const begun: number[] = [];
    const crew = createCrew(2, 60_000, createThreads(begun));
    const { results } = await crew.run(jobs, () => false, orderByCost(jobs));
    expect(begun).toEqual([12, 11, 13, 10]);
    expect(results.map(({ iteration }) => iteration)).toEqual([10, 11, 12, 13]);
  });

  test("run jobs in the given order by default, and start no further one after the end", async () => {
    const begun: number[] = [];
    const crew = createCrew(2, 60_000, createThreads(begun));
    const { results } = await crew.run(jobs, (first) => first.length >= 1);
    expect(begun).toEqual([10, 11]);
    expect(results.map(({ iteration }) => iteration)).toEqual([10, 11]);
  });

  test("return only the results before the first unfinished job", async () => {
    const begun: number[] = [];
    const crew = createCrew(2, 60_000, createThreads(begun));
    let asked = 0;
    const { results } = await crew.run(jobs, () => ++asked > 3, orderByCost(jobs));
    expect(begun).toEqual([12, 11, 13]);
    expect(results).toEqual([]);
  });

  test("stop a job that exceeds its time limit, run the others, and return the results before it", async () => {
    const begun: number[] = [];
    const crew = createCrew(2, 20, createThreads(begun, [12]));
    const { results, timedOut } = await crew.run(jobs, () => false);
    expect(begun).toEqual([10, 11, 12, 13]);
    expect(results.map(({ iteration }) => iteration)).toEqual([10, 11]);
    expect(timedOut).toEqual({ job: jobs[2], height: 7 });
  });

  test("report the first of several jobs that exceed their time limit", async () => {
    const crew = createCrew(2, 20, createThreads([], [11, 12]));
    const { results, timedOut } = await crew.run(jobs, () => false, [2, 1, 0, 3]);
    expect(results.map(({ iteration }) => iteration)).toEqual([]);
    expect(timedOut?.job.iteration).toBe(11);
  });
});

test("the cost of a job depends on the length of its case and on its checks", () => {
  expect(costOf(jobOf(0, 50))).toBe(50);
  expect(costOf(jobOf(0, 50, { again: true, restored: true }))).toBe(150);
  expect(costOf(jobOf(0, 50, { thorough: true, metamorphic: true }))).toBe(750);
  expect(orderByCost([jobOf(0, 5), jobOf(1, 5), jobOf(2, 6)])).toEqual([2, 0, 1]);
});

// Goal: a campaign ends where it should, without unneeded work. Method: a crew that records whether it received an
// order.
test("rounds run the longest jobs first, the last round in order", async () => {
  const campaign = new Campaign(3, SEARCH_PROFILES.smoke);
  const orders: boolean[] = [];
  const crew = {
    async run(given: readonly Job[], isOver: (first: readonly JobResult[]) => boolean, order?: readonly number[]) {
      orders.push(order !== undefined);
      const results: JobResult[] = [];
      for (const job of given) {
        if (isOver(results)) break;
        results.push(resultOf(job));
      }
      return { results };
    },
    close: async () => undefined,
  };
  await runCampaign(campaign, crew, { transactions: 25_000, isOver: () => false }, () => "continue");
  expect(orders[0]).toBe(true);
  expect(orders.at(-1)).toBe(false);
  expect(campaign.transactions).toBeGreaterThanOrEqual(25_000);
});

// Goal: with `failFast` a campaign ends within its round, equally for any crew. Method: one crew stops when it may, the
// other has begun all jobs by then.
test.each([true, false])("the first failure ends a round if asked for, with a crew that stops: %s", async (stops) => {
  const campaign = new Campaign(3, SEARCH_PROFILES.smoke);
  const failing = 3;
  let found = 0;
  const crew = {
    async run(given: readonly Job[], isOver: (first: readonly JobResult[]) => boolean, order?: readonly number[]) {
      expect(order).toBeUndefined();
      const results: JobResult[] = [];
      for (const [at, job] of given.entries()) {
        if (stops && isOver(results)) break;
        const violation = { kind: "throw", invariant: "nothingThrows", height: 1, observed: "planted" } as const;
        results.push({ ...resultOf(job), ...(at >= failing ? { violation } : {}) });
      }
      expect(results.length > failing).toBe(true);
      return { results };
    },
    close: async () => undefined,
  };
  const budget = { transactions: 1e9, isOver: () => false, failFast: true };
  await runCampaign(campaign, crew, budget, (round) => {
    found += round.found.length;
    expect(round.isWhole).toBe(false);
    return "enough";
  });
  expect([found, campaign.iteration]).toEqual([1, failing + 1]);
});
