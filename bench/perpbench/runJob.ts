import { type MinimalJob, type Minimals, runMinimals } from "./minimalRun.ts";
import { type AroundJob, runAround, type Surrounded } from "./oracles/around.ts";
import { type Explored, type ExploreJob, runExplore } from "./oracles/explore.ts";
import { type ByScenarios, runScenarios, type ScenariosJob } from "./oracles/scenarios.ts";
import { runTrial, type Trial, type TrialJob } from "./trial.ts";

/** A part of the benchmark that one process runs. Plain data. */
export type BenchJob = TrialJob | ScenariosJob | ExploreJob | AroundJob | MinimalJob;
export type BenchResult = Trial | ByScenarios | Explored | Surrounded | Minimals;

export async function runJob(job: BenchJob): Promise<BenchResult> {
  switch (job.method) {
    case "search":
      return runTrial(job);
    case "scenarios":
      return runScenarios(job);
    case "explore":
      return runExplore(job);
    case "around":
      return runAround(job);
    case "minimal":
      return runMinimals();
  }
}
