// Runs in the copy, a process of its own: takes trials from its parent, one at a time.
import { runTrial, type TrialJob } from "./trial.ts";

process.on("message", async (job: TrialJob) => {
  process.send!(await runTrial(job));
});
