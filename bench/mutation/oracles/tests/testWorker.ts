// Runs in the copy, in a process with a Vitest: takes jobs from its parent, one at a time.
import { join } from "node:path";
import type { Step } from "./planTests.ts";
import { TestBench } from "./testBench.ts";
import { type KillResult, measureReach, type ReachResult, tryMutant } from "./tryTests.ts";

export interface ReachJob {
  readonly kind: "reach";
  readonly files: readonly string[];
}

/** CPU time of a job, s. */
interface Timed {
  readonly seconds: number;
}

export type Reach = { readonly kind: "reach" } & ReachResult & Timed;

export interface KillJob {
  readonly kind: "kill";
  readonly mutant: number;
  readonly steps: readonly Step[];
  readonly once: readonly Step[];
}

export type Kill = { readonly kind: "kill" } & KillResult & Timed;

const COPY = join(import.meta.dirname, "..", "..", "..", "..");
let bench: TestBench | undefined;

async function runJob(job: ReachJob | KillJob): Promise<Reach | Kill> {
  const begin = process.cpuUsage();
  bench ??= await TestBench.open(COPY);
  const result =
    job.kind === "reach"
      ? { kind: job.kind, ...(await measureReach(bench, job.files)) }
      : { kind: job.kind, ...(await tryMutant(bench, job.mutant, job)) };
  const { user, system } = process.cpuUsage(begin);
  return { ...result, seconds: Math.round((user + system) / 1000) / 1000 };
}

// The parent process has ended.
process.on("disconnect", () => process.exit());
process.on("message", async (job: ReachJob | KillJob) => {
  process.send!(await runJob(job));
});
