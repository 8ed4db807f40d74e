// Runs in the copy, a process of its own: takes trials from its parent, one at a time.
import { runTrial, type TrialJob } from "./trial.ts";

process.on("message", (job: TrialJob) => {
  process.send!(runTrial(job));
});
