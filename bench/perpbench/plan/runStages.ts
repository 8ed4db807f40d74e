import { join } from "node:path";
import { runJobs } from "../../lib/jobs.ts";
import { runQueuedJobs } from "../../lib/queueJobs.ts";
import type { Copy } from "../buildCopy.ts";
import type { BenchJob, BenchResult } from "../runJob.ts";
import type { BenchOptions, RunOptions } from "./options.ts";
import { keyOf, type Results } from "./results.ts";
import { type Known, planStages } from "./stages.ts";

/** Runs every job that has no result yet, in processes of this machine or by workers of a queue. */
export async function runStages(copy: Copy, results: Results, options: BenchOptions & RunOptions): Promise<void> {
  const { workers, patience, redis, redisPrefix } = options;
  console.log(`copy ${copy.version}`);
  const shared = {
    lost: (job: BenchJob, why: "timeout" | "crash") => describeLost(job, why),
    onDone(result: BenchResult, job: BenchJob) {
      results.add(job, result);
      console.log(`${keyOf(job)}: ${describe(result)}`);
    },
    patience,
  };
  for (const stage of planStages(options)) {
    const all = stage(results as Known);
    const jobs = all.filter((job) => !results.has(job));
    if (jobs.length < all.length) console.log(`${all.length - jobs.length} of ${all.length} jobs are kept`);
    if (jobs.length === 0) continue;
    if (redis === undefined) {
      const worker = join(copy.folder, "bench", "perpbench", "worker.ts");
      await runJobs<BenchJob, BenchResult>({ ...shared, worker, workers, jobs });
    } else {
      const queue = { redis, ...(redisPrefix === undefined ? {} : { redisPrefix }) };
      await runQueuedJobs<BenchJob, BenchResult>({
        ...shared,
        queue,
        copy: { bench: "perpbench", version: copy.version },
        jobs,
      });
    }
  }
}

/** A job whose process did not end in time, or died. */
function describeLost(job: BenchJob, lost: "timeout" | "crash"): BenchResult {
  const none = { reached: 0, triggered: 0, cpuSeconds: 0, lost };
  switch (job.method) {
    case "search":
      return { method: "search", bug: job.bug, seed: job.seed, budget: job.budget, transactions: 0, ...none };
    case "scenarios":
      return { method: "scenarios", bug: job.bug, files: 0, shown: 0, ...none };
    case "explore": {
      const { method, bug, depth, budget } = job;
      return { method, bug, depth, budget, transitions: 0, states: 0, worlds: 0, isCut: false, ...none };
    }
    case "around": {
      const { method, bug, every, budget } = job;
      return { method, bug, every, budget, scenarios: 0, blocks: 0, isCut: false, ...none };
    }
    case "minimal":
      throw new Error(`the shortest scenarios ended: ${lost}`);
  }
}

function describe(result: BenchResult): string {
  if (result.method === "minimal") return `${result.minimals.length} scenarios`;
  const { finding, lost, cpuSeconds } = result;
  return `${finding === undefined ? (lost ?? "not found") : `found by ${finding.invariant}`}, ${cpuSeconds} s`;
}
