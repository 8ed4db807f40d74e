import { join } from "node:path";
import { expect, test } from "vitest";
import { runJobs } from "../../../bench/lib/jobs.ts";

const worker = join(import.meta.dirname, "fixtures", "jobWorker.ts");

interface Job {
  readonly what: "double" | "crash" | "hang" | "env";
  readonly value?: number;
}

async function run(jobs: readonly Job[], workers = 1) {
  const results = new Map<Job, unknown>();
  await runJobs<Job, unknown>({
    worker,
    workers,
    jobs,
    patience: 3,
    envOf: ({ what, value }) => (what === "env" ? { JOB_VALUE: `${value}` } : undefined),
    lost: (_, why) => why,
    onDone: (done, job) => results.set(job, done),
  });
  return jobs.map((job) => results.get(job));
}

test("jobs run in one process after another, and a process that dies or hangs is replaced", async () => {
  const jobs: Job[] = [
    { what: "double", value: 1 },
    { what: "double", value: 2 },
    { what: "crash" },
    { what: "double", value: 3 },
    { what: "hang" },
    { what: "double", value: 4 },
  ];
  const results = (await run(jobs)) as { readonly doubled: number; readonly pid: number }[];
  expect(results.map((one) => one.doubled ?? one)).toEqual([2, 4, "crash", 6, "timeout", 8]);
  const [first, second, , third, , fourth] = results.map(({ pid }) => pid);
  expect(first).toBe(second);
  expect(new Set([first, third, fourth]).size).toBe(3);
});

test("a job with variables of its own has a process of its own, next to the shared one", async () => {
  const jobs: Job[] = [
    { what: "double", value: 1 },
    { what: "env", value: 5 },
    { what: "env", value: 6 },
    { what: "double", value: 2 },
  ];
  const [first, five, six, last] = (await run(jobs)) as [{ pid: number }, string, string, { pid: number }];
  expect([five, six]).toEqual(["5", "6"]);
  expect(first.pid).toBe(last.pid);
});
