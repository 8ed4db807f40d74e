// A child process: receives starts from its parent, one at a time.
import { type ExploreJob, exploreJob } from "./job.ts";

process.on("message", (job: ExploreJob) => process.send!(exploreJob(job)));
