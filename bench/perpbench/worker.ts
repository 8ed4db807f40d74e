// Runs in the copy as a child process: receives trials from its parent, one at a time.
import { runTrial, type TrialJob } from "./trial.ts";

process.on("message", async (job: TrialJob) => {
  process.send!(await runTrial(job));
});
