// Runs in the copy as a child process: receives jobs from its parent, one at a time.
import { type BenchJob, runJob } from "./runJob.ts";

// The parent process has ended.
process.on("disconnect", () => process.exit());
process.on("message", async (job: BenchJob) => {
  process.send!(await runJob(job));
});
