import { countOf } from "../../../ground/math/counts.ts";
import { defineCommand } from "../../command.ts";
import { usageError } from "../../fail.ts";
import { addQueue } from "../../queueOptions.ts";
import { chooseJobs, type JobsOptions, withQueue } from "./withQueue.ts";

interface Options extends JobsOptions {
  readonly all?: boolean;
}

export const jobsRetryCommand = defineCommand<Options>({
  name: "retry",
  summary: "Give failed jobs new attempts",
  description:
    "Puts failed jobs back into their queue. A command that is called again does this itself for the jobs it needs.",
  examples: [{ args: "jobs retry --all --redis redis://127.0.0.1:6379", does: "Try every failed job again" }],
  configure(command) {
    addQueue(command)
      .argument("[job...]", "names of failed jobs, or their beginnings")
      .option("--all", "all failed jobs of all queues");
  },
  async run({ terminal, json }, names, { all, ...queue }) {
    const { retryJobs } = await import("../../../product/cluster/queue/survey.ts");
    const jobs = await withQueue(queue, async (connection) => {
      const chosen = await chooseJobs(connection, names, all, ["failed"]);
      const other = chosen.find(({ state }) => state !== "failed");
      if (other !== undefined) {
        const hint = "only a failed job can be tried again";
        throw usageError("OPTION_INVALID", `its state is ${other.state}`, { place: other.id, hint });
      }
      await retryJobs(connection, chosen);
      return chosen;
    });
    if (json) terminal.out(JSON.stringify({ retried: jobs.map(({ id }) => id) }));
    else terminal.out(`${countOf(jobs.length, "job")} to be tried again`);
  },
});
