// Runs in the copy, a process of its own: takes trials from its parent, one at a time.
import { runTrial, type Trial } from "./trial.ts";

process.on("message", (job: Pick<Trial, "bug" | "seed" | "budget">) => {
  process.send!(runTrial(job));
});
