import { countOf } from "../../../ground/math/counts.ts";
import { defineCommand } from "../../command.ts";
import { addQueue } from "../../queueOptions.ts";
import { chooseJobs, type JobsOptions, withQueue } from "./withQueue.ts";

interface Options extends JobsOptions {
  readonly all?: boolean;
}

export const jobsCancelCommand = defineCommand<Options>({
  name: "cancel",
  summary: "Remove jobs from a queue, and end running ones",
  description:
    "Removes jobs that wait or have failed. A running job is ended by its worker within seconds. The command that sent " +
    "it receives the failure JOB_CANCELLED. A sweep or walk-forward continues without the run; other commands end. The " +
    "same command sends the job again.",
  examples: [{ args: "jobs cancel --all --redis redis://127.0.0.1:6379", does: "Empty all queues" }],
  configure(command) {
    addQueue(command)
      .argument("[job...]", "names of jobs, or their beginnings")
      .option("--all", "all jobs of all queues");
  },
  async run({ terminal, json }, names, { all, ...queue }) {
    const { cancelJobs, JOB_STATES } = await import("../../../product/cluster/queue/survey.ts");
    const jobs = await withQueue(queue, async (connection) => {
      const chosen = await chooseJobs(connection, names, all, JOB_STATES);
      await cancelJobs(connection, chosen);
      return chosen;
    });
    if (json) terminal.out(JSON.stringify({ cancelled: jobs.map(({ id }) => id) }));
    else terminal.out(`cancelled ${countOf(jobs.length, "job")}`);
  },
});
