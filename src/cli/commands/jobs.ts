import type { CommandGroup } from "../command.ts";
import { jobsCancelCommand } from "./jobs/cancel.ts";
import { jobsListCommand } from "./jobs/list.ts";
import { jobsRetryCommand } from "./jobs/retry.ts";
import { jobsShowCommand } from "./jobs/show.ts";

/** The queue of many machines. */
export const jobsCommands: CommandGroup = {
  name: "jobs",
  summary: "List, show, cancel or retry jobs of a queue in Redis",
  description:
    "A command with --redis puts jobs into a queue, and workers make them. These commands show the queue from " +
    "any machine, and change it.",
  commands: [jobsListCommand, jobsShowCommand, jobsCancelCommand, jobsRetryCommand],
};
