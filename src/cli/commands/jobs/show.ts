import { defineCommand } from "../../command.ts";
import { formatColumns, formatTime } from "../../format.ts";
import { addQueue } from "../../queueOptions.ts";
import { type JobsOptions, withQueue } from "./withQueue.ts";

export const jobsShowCommand = defineCommand<JobsOptions>({
  name: "show",
  summary: "Show one job of a queue: its data, its state and its error",
  description:
    "Shows a job that is in a queue, by its name or the beginning of its name. A job with a result is no longer in it.",
  examples: [],
  configure(command) {
    addQueue(command).argument("<job>", "name of the job, or its beginning");
  },
  async run({ terminal, json }, [name = ""], options) {
    const { findJob } = await import("../../../product/cluster/queue/survey.ts");
    const job = await withQueue(options, (connection) => findJob(connection, name));
    if (json) {
      terminal.out(JSON.stringify(job));
      return;
    }
    const { id, queue, state, attempts, takeovers, worker, addedMs, failure, body } = job;
    const rows = [
      ["job", id],
      ["queue", queue],
      ["state", state],
      ["attempts", `${attempts}`],
      ["takeovers", `${takeovers}`],
      ["last worker", worker ?? "none yet"],
      ["added, UTC", formatTime(addedMs)],
      ...(failure === null ? [] : [["error", `${failure.code}: ${failure.message}`]]),
      ...(failure?.place === undefined ? [] : [["place", failure.place]]),
      ...(failure?.hint === undefined ? [] : [["hint", failure.hint]]),
      ["body", JSON.stringify(body)],
    ];
    terminal.out(formatColumns(rows, []));
  },
});
