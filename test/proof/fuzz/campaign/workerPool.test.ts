import { EventEmitter } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import type { Worker } from "node:worker_threads";
import { describe, expect, test } from "vitest";
import { Campaign } from "../../../../src/proof/fuzz/campaign/campaign.ts";
import type { JobResult } from "../../../../src/proof/fuzz/campaign/execute.ts";
import { costOf, type Job, orderByCost, planFresh, planJob } from "../../../../src/proof/fuzz/campaign/job.ts";
import { SEARCH_PROFILES } from "../../../../src/proof/fuzz/campaign/profiles.ts";
import { runCampaign } from "../../../../src/proof/fuzz/campaign/runCampaign.ts";
import {
  type Crew,
  createCrew,
  type Reply,
  type ShiftPlan,
  type Task,
} from "../../../../src/proof/fuzz/campaign/workerPool.ts";
import { createCase } from "../../../../src/proof/fuzz/case/fuzzCase.ts";
import { writeCase } from "../../../../src/proof/fuzz/case/writeCase.ts";
import { Pool } from "../../../../src/proof/fuzz/corpus/pool.ts";
import { GENE_WIDTH } from "../../../../src/proof/fuzz/genes/choices.ts";
import { within } from "../../../helpers/within.ts";

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
      async terminate() {
        worker.emit("exit", 1);
        return 0;
      },
    });
    return worker as unknown as Worker;
  };
}

/** Such threads, of which one replies to the job `held` only when it is released. */
function createHeldThreads(begun: number[], held: number, silent: readonly number[] = []) {
  const inner = createThreads(begun, silent);
  let holding: { readonly worker: Worker; readonly job: Job } | undefined;
  const create = () => {
    const worker = inner();
    const { postMessage } = worker;
    worker.postMessage = (task: Task) => {
      if (task.job.iteration !== held) return postMessage.call(worker, task);
      begun.push(held);
      holding = { worker, job: task.job };
    };
    return worker;
  };
  const release = () => {
    const { worker, job } = holding!;
    worker.emit("message", { kind: "done", result: resultOf(job) } satisfies Reply);
  };
  return { create, release };
}

/** Such a crew, whose call fails with a sentence if it hangs. */
function openCrew(...settings: Parameters<typeof createCrew>): Crew {
  const crew = createCrew(...settings);
  return { run: (...call) => within("the call", crew.run(...call)), close: () => crew.close() };
}

/** Lets all replies that are due arrive. */
const settle = () => sleep(1);

const jobs = [jobOf(10, 20), jobOf(11, 400), jobOf(12, 90, { thorough: true }), jobOf(13, 100)];

describe("several threads", () => {
  test("start with the longest jobs, and return results in the order of the jobs", async () => {
    const begun: number[] = [];
    const crew = openCrew(2, 60_000, createThreads(begun));
    const { results } = await crew.run(jobs, () => false, { order: orderByCost(jobs) });
    expect(begun).toEqual([12, 11, 13, 10]);
    expect(results.map(({ iteration }) => iteration)).toEqual([10, 11, 12, 13]);
  });

  test("run jobs in the given order by default, and end without those that run when enough results are there", async () => {
    const begun: number[] = [];
    const crew = openCrew(2, 60_000, createThreads(begun));
    const { results } = await crew.run(jobs, (first) => first.length >= 1);
    expect(begun).toEqual([10, 11]);
    expect(results.map(({ iteration }) => iteration)).toEqual([10]);
  });

  test("return only the results before the first unfinished job", async () => {
    const begun: number[] = [];
    const crew = openCrew(2, 60_000, createThreads(begun));
    const { results } = await crew.run(jobs, () => begun.length >= 3, { order: orderByCost(jobs) });
    expect(begun).toEqual([12, 11, 13]);
    expect(results).toEqual([]);
  });

  test("stop a job that exceeds its time limit, run the others, and return the results before it", async () => {
    const begun: number[] = [];
    const crew = openCrew(2, 20, createThreads(begun, [12]));
    const { results, timedOut } = await crew.run(jobs, () => false);
    expect(begun).toEqual([10, 11, 12, 13]);
    expect(results.map(({ iteration }) => iteration)).toEqual([10, 11]);
    expect(timedOut).toEqual({ job: jobs[2], height: 7 });
  });

  test("report the first of several jobs that exceed their time limit, and replace their threads", async () => {
    const crew = openCrew(2, 20, createThreads([], [11, 12]));
    const { results, timedOut } = await crew.run(jobs, () => false, { order: [2, 1, 0, 3] });
    expect(results.map(({ iteration }) => iteration)).toEqual([10]);
    expect(timedOut?.job.iteration).toBe(11);
  });

  // Goal: no thread waits for the last job of a call. Method: one job of the call answers only when it is released.
  test("start jobs of the next call while the last one of this call runs, and keep their results for it", async () => {
    const begun: number[] = [];
    const { create, release } = createHeldThreads(begun, 13);
    const crew = openCrew(2, 60_000, create);
    const ahead = [jobOf(14, 5), jobOf(16, 7), jobOf(17, 9)];
    const call = crew.run(jobs, () => false, { order: [3, 2, 1, 0], ahead });
    await settle();
    expect(begun).toEqual([13, 12, 11, 10, 14, 16, 17]);
    release();
    expect((await call).results.map(({ iteration }) => iteration)).toEqual([10, 11, 12, 13]);
    const next = await crew.run([ahead[0]!, jobOf(15, 3), ahead[1]!, ahead[2]!], () => false);
    expect(begun).toEqual([13, 12, 11, 10, 14, 16, 17, 15]);
    expect(next.results.map(({ iteration }) => iteration)).toEqual([14, 15, 16, 17]);
  });

  test("end a call while a job of the next call still runs, which starts once", async () => {
    const begun: number[] = [];
    const { create, release } = createHeldThreads(begun, 14);
    const crew = openCrew(2, 60_000, create);
    const ahead = [jobOf(14, 5), jobOf(15, 7)];
    const { results } = await crew.run(jobs, () => false, { ahead });
    expect(results.map(({ iteration }) => iteration)).toEqual([10, 11, 12, 13]);
    await settle();
    const next = crew.run([...ahead, jobOf(16, 3)], () => false);
    await settle();
    release();
    expect((await next).results.map(({ iteration }) => iteration)).toEqual([14, 15, 16]);
    expect(begun).toEqual([10, 11, 12, 13, 14, 15, 16]);
  });

  test("keep the result of a job that is ahead of two calls", async () => {
    const begun: number[] = [];
    const { create, release } = createHeldThreads(begun, 13);
    const crew = openCrew(2, 60_000, create);
    const ahead = [jobOf(14, 5)];
    const call = crew.run(jobs, () => false, { ahead });
    await settle();
    release();
    await call;
    expect((await crew.run([jobOf(15, 3)], () => false, { ahead })).results).toHaveLength(1);
    expect((await crew.run(ahead, () => false)).results.map(({ iteration }) => iteration)).toEqual([14]);
    expect(begun).toEqual([10, 11, 12, 13, 14, 15]);
  });

  test("start no job of the next call after a call that was cut short", async () => {
    const begun: number[] = [];
    const crew = openCrew(1, 60_000, createThreads(begun));
    await crew.run(jobs, (first) => first.length >= 2, { ahead: [jobOf(14, 5)] });
    expect(begun).toEqual([10, 11]);
  });

  test("report a job of the next call that exceeds its limit in that call", async () => {
    const begun: number[] = [];
    const { create, release } = createHeldThreads(begun, 13, [14]);
    const crew = openCrew(2, 20, create);
    const ahead = [jobOf(14, 5)];
    const call = crew.run(jobs, () => false, { ahead });
    await sleep(60);
    release();
    expect((await call).timedOut).toBeUndefined();
    const { results, timedOut } = await crew.run([...ahead, jobOf(15, 3)], () => false);
    expect(results).toEqual([]);
    expect(timedOut).toEqual({ job: ahead[0], height: 7 });
  });

  // Goal: a process ends with its search. Method: a job still runs when the crew closes; count the timers after it.
  test("leave no timer of a job that runs when they are ended", async () => {
    const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === "Timeout").length;
    const crew = openCrew(2, 60_000, createThreads([], [11]));
    const before = timers();
    await crew.run(jobs, (first) => first.length >= 1);
    await settle();
    expect(timers()).toBe(before + 1);
    await crew.close();
    expect(timers()).toBe(before);
  });

  test("end a call with the failure of a thread, also if it had no job", async () => {
    const threads: EventEmitter[] = [];
    const crew = openCrew(2, 60_000, () => {
      const thread = createThreads([])();
      threads.push(thread);
      return thread;
    });
    threads[1]!.emit("exit", 9);
    await expect(crew.run(jobs, () => false)).rejects.toMatchObject({ code: "WORKER_LOST" });
  });
});

test("the cost of a job depends on the length of its case and on its checks", () => {
  expect(costOf(jobOf(0, 50))).toBe(50);
  expect(costOf(jobOf(0, 50, { again: true, restored: true }))).toBe(150);
  expect(costOf(jobOf(0, 50, { thorough: true, metamorphic: true }))).toBe(750);
  expect(orderByCost([jobOf(0, 5), jobOf(1, 5), jobOf(2, 6)])).toEqual([2, 0, 1]);
});

// Goal: a campaign ends where it should, without unneeded work, and its crew knows which jobs come next. Method: a crew
// that records its calls.
test("rounds start the longest jobs first; the last one those that it needs, and no job of a next round", async () => {
  const campaign = new Campaign(3, SEARCH_PROFILES.smoke);
  const calls: { readonly given: readonly Job[]; readonly plan: ShiftPlan }[] = [];
  const crew = {
    async run(given: readonly Job[], isOver: (first: readonly JobResult[]) => boolean, plan: ShiftPlan = {}) {
      calls.push({ given, plan });
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
  expect(campaign.transactions).toBeGreaterThanOrEqual(25_000);
  const last = calls.pop()!;
  expect(calls.length).toBeGreaterThan(0);
  for (const [at, { given, plan }] of calls.entries()) {
    expect(plan.order).toEqual(orderByCost(given));
    expect(plan.ahead!.length).toBeGreaterThan(10);
    const next = (calls[at + 1] ?? last).given;
    for (const job of plan.ahead!) expect(next).toContain(job);
  }
  // Every gene of this crew makes one transaction, so the campaign knows which jobs it needs.
  const needed = campaign.iteration - last.given[0]!.iteration;
  expect(last.plan).toEqual({ order: orderByCost(last.given, needed) });
});

test("the jobs that are needed come first, the longest before the others, then the rest in order", () => {
  const list = [jobOf(0, 5), jobOf(1, 9), jobOf(2, 6), jobOf(3, 1), jobOf(4, 8)];
  expect(orderByCost(list, 3)).toEqual([1, 2, 0, 3, 4]);
  expect(orderByCost(list, 0)).toEqual([0, 1, 2, 3, 4]);
});

// Goal: a job that is planned before the results of a round are known is the job that would be planned after them.
// Method: all jobs of some rounds, once without a pool, and once with two different ones.
test.each(["smoke", "nightly", "deep"] as const)("a fresh job of %s is the same for any pool", (name) => {
  const profile = SEARCH_PROFILES[name];
  const full = new Pool();
  for (let at = 0; at < 30; at++) {
    const given = jobOf(at, 20 + at).given;
    full.add({ name: `${at}`, given, places: Uint16Array.of(at), starts: [10] });
  }
  const textOf = ({ given, ...job }: Job) => JSON.stringify([job, Buffer.from(writeCase(given)).toString("base64")]);
  let fresh = 0;
  for (let iteration = 0; iteration < 200; iteration++) {
    const job = planFresh(9, iteration, profile);
    const [empty, mutated] = [new Pool(), full].map((pool) => textOf(planJob(9, iteration, profile, pool)));
    expect(empty === mutated).toBe(job !== undefined);
    if (job === undefined) continue;
    fresh++;
    expect(textOf(job) === empty).toBe(true);
  }
  const share = (profile.fresh * (100 - profile.starts)) / 100;
  expect(Math.abs(fresh / 2 - share)).toBeLessThan(10);
});

// Goal: with `failFast` a campaign ends within its round, equally for any crew. Method: one crew stops when it may, the
// other has begun all jobs by then.
test.each([true, false])("the first failure ends a round if asked for, with a crew that stops: %s", async (stops) => {
  const campaign = new Campaign(3, SEARCH_PROFILES.smoke);
  const failing = 3;
  let found = 0;
  const crew = {
    async run(given: readonly Job[], isOver: (first: readonly JobResult[]) => boolean, plan: ShiftPlan = {}) {
      expect(plan.order).toBeUndefined();
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
