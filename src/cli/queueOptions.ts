import type { Command } from "commander";

const ADDRESS = "redis://host:port, or rediss://user@host:port with TLS";
const PREFIX_HELP = "first part of the names of all keys in Redis (default: perplab)";

/** Declares where a command finds the queue of its jobs, if they are not to be made here. The work is a clause. */
export function addQueueOptions(command: Command, work = "make the runs"): Command {
  return command
    .option("--redis <url>", `${work} by workers (see perplab worker), over this Redis: ${ADDRESS}`)
    .option("--redis-prefix <text>", PREFIX_HELP);
}

/** Declares the queue of a command that has no use without one. */
export function addQueue(command: Command): Command {
  return command
    .requiredOption("--redis <url>", `${ADDRESS}; a password may be in PERPLAB_REDIS_PASSWORD`)
    .option("--redis-prefix <text>", PREFIX_HELP);
}
