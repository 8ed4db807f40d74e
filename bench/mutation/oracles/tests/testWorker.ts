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

/** `plain`: tests that state what they expect; `checked`: tests that compare with recorded roots. */
export type Mode = "plain" | "checked";

/** Tests of one mode. */
export interface Round {
  readonly mode: Mode;
  readonly steps: readonly Step[];
  readonly once: readonly Step[];
}

export interface KillJob {
  readonly kind: "kill";
  readonly mutant: number;
  /** A round comes only if no test of those before fails. */
  readonly rounds: readonly Round[];
}

export type RoundResult = { readonly mode: Mode } & KillResult & Timed;

export interface Kill {
  readonly kind: "kill";
  readonly results: readonly RoundResult[];
}

const COPY = join(import.meta.dirname, "..", "..", "..", "..");
let kept: TestBench | undefined;
let fresh: TestBench | undefined;

async function runJob(job: ReachJob | KillJob): Promise<Reach | Kill> {
  kept ??= await TestBench.open(COPY);
  const benches = {
    kept,
    fresh: async () => {
      fresh ??= await TestBench.open(COPY);
      return fresh;
    },
  };
  if (job.kind === "reach") return { kind: "reach", ...(await timed(() => measureReach(benches.kept, job.files))) };
  const results: RoundResult[] = [];
  for (const round of job.rounds) {
    const result = await timed(() => tryMutant(benches, job.mutant, round));
    results.push({ mode: round.mode, ...result });
    if (result.killer !== undefined || result.fault !== undefined) break;
  }
  return { kind: "kill", results };
}

async function timed<Result>(run: () => Promise<Result>): Promise<Result & Timed> {
  const begin = process.cpuUsage();
  const result = await run();
  const { user, system } = process.cpuUsage(begin);
  return { ...result, seconds: Math.round((user + system) / 1000) / 1000 };
}

// The parent process has ended.
process.on("disconnect", () => process.exit());
process.on("message", async (job: ReachJob | KillJob) => {
  process.send!(await runJob(job));
});
