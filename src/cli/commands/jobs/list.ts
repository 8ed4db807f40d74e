import { formatCount } from "../../../ground/math/counts.ts";
import type { JobNote, Survey } from "../../../product/cluster/queue/survey.ts";
import { shortenName } from "../../../product/cluster/queue/task.ts";
import { defineCommand } from "../../command.ts";
import { formatColumns } from "../../format.ts";
import { addQueue } from "../../queueOptions.ts";
import { readWhole } from "../../values.ts";
import { type JobsOptions, withQueue } from "./withQueue.ts";

interface Options extends JobsOptions {
  readonly failed?: boolean;
  readonly most?: number;
}

/** Default of `--most`. */
const MOST = 20;

export const jobsListCommand = defineCommand<Options>({
  name: "list",
  summary: "Show the jobs of each queue by state, the workers and the time left",
  description:
    "Counts the jobs of each queue by state. The time left assumes the rate of the last minute, over all workers. A " +
    "queue belongs to one version of perplab and one Node line.",
  examples: [
    { args: "jobs list --redis redis://127.0.0.1:6379", does: "The state of all queues" },
    {
      args: "jobs list --redis redis://127.0.0.1:6379 --failed --json",
      does: "Jobs that failed after their last attempt, with errors",
    },
  ],
  configure(command) {
    addQueue(command)
      .option("--failed", "list the jobs that failed after their last attempt, with their errors")
      .option("--most <count>", `jobs that are listed of each queue and state (default: ${MOST})`, readWhole("--most"));
  },
  async run({ terminal, json }, _args, { failed, most = MOST, ...queue }) {
    const { listJobs, survey } = await import("../../../product/cluster/queue/survey.ts");
    const found = await withQueue(queue, async (connection) => ({
      state: await survey(connection),
      jobs: await listJobs(connection, failed === true ? ["failed"] : ["active", "failed"], most),
    }));
    if (json) terminal.out(JSON.stringify({ ...found.state, jobs: found.jobs }));
    else terminal.out([formatSurvey(found.state), formatJobs(found.jobs)].filter((text) => text !== "").join("\n\n"));
  },
});

function formatSurvey({ queues, counters, perMinute, secondsLeft }: Survey): string {
  const rows = queues.map(({ name, counts, workers }) => [
    name,
    formatCount(counts.waiting),
    formatCount(counts.active),
    formatCount(counts.delayed),
    formatCount(counts.failed),
    formatCount(workers.length),
  ]);
  const head = ["queue", "waiting", "running", "to retry", "failed", "workers"];
  const table = queues.length === 0 ? "no queue has jobs" : formatColumns([head, ...rows], [1, 2, 3, 4, 5]);
  const workers = queues.flatMap((queue) => queue.workers);
  const workerRows = workers.map(({ name, concurrency, done, perplab, node }) => [
    name,
    formatCount(concurrency),
    formatCount(done),
    `perplab ${perplab}, Node ${node}`,
  ]);
  const rate = `${formatCount(perMinute)} jobs in the last minute${formatLeft(secondsLeft)}`;
  const { made, twice, spared } = counters;
  const again = `${formatCount(twice)} jobs made twice, ${formatCount(spared)} spared`;
  const ever = `${formatCount(made)} results in all; ${again}`;
  const parts = [table, `${rate}; ${ever}`];
  if (workers.length > 0) parts.push(formatColumns([["worker", "at once", "done", "version"], ...workerRows], [1, 2]));
  return parts.join("\n\n");
}

function formatLeft(seconds: number | null): string {
  if (seconds === 0) return "";
  if (seconds === null) return ", so the time left is unknown";
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor((seconds % 3_600) / 60)];
  return `, ${hours > 0 ? `${hours} h ` : ""}${hours > 0 || minutes > 0 ? `${minutes} min` : `${seconds} s`} left`;
}

function formatJobs(jobs: readonly JobNote[]): string {
  if (jobs.length === 0) return "";
  const rows = jobs.map(({ id, state, attempts, takeovers, worker, failure }) => [
    shortenName(id),
    state === "active" ? "running" : state,
    formatCount(attempts),
    formatCount(takeovers),
    worker ?? "",
    failure === null ? "" : `${failure.code}: ${failure.message}`,
  ]);
  return formatColumns([["job", "state", "attempts", "takeovers", "last worker", "error"], ...rows], [2, 3]);
}
