import type { Command } from "commander";
import { type CliError, usageError } from "./fail.ts";

const ADDRESS = "redis://host:port, or rediss://user@host:port with TLS";
const PREFIX_HELP = "prefix of all keys in Redis (default: perplab)";

/** Declares the options of a command whose jobs workers may make. `work` is what they do, as a verb phrase. */
export function addQueueOptions(command: Command, work = "make the runs"): Command {
  return command
    .option("--redis <url>", `${work} by workers (see perplab worker), over this Redis: ${ADDRESS}`)
    .option("--redis-prefix <text>", PREFIX_HELP)
    .hook("preAction", (self) => {
      const { redis, redisPrefix } = self.opts<{ readonly redis?: string; readonly redisPrefix?: string }>();
      if (redis !== undefined || redisPrefix === undefined) return;
      throw usageError("OPTION_MISSING", "a prefix of keys needs the address of Redis", {
        place: "--redis-prefix",
        hint: "add --redis URL",
      });
    });
}

/** The error of an option that cannot be used on a queue. `reason` is a clause. */
export function refuseOnQueue(place: string, reason: string): CliError {
  return usageError("OPTION_INVALID", `${reason}, so it cannot be used with --redis`, {
    place,
    hint: `leave out ${place} or --redis`,
  });
}

/** Why a command on a queue takes no number of threads. */
export const OWN_THREADS = "each worker of a queue has its own number of threads";
/** Why a command on a queue takes no modules. */
export const NO_MODULES = "workers do not have modules of your own";

/** Declares the options of a command that always needs a queue. */
export function addQueue(command: Command): Command {
  return command
    .requiredOption("--redis <url>", `${ADDRESS}; a password may be in PERPLAB_REDIS_PASSWORD`)
    .option("--redis-prefix <text>", PREFIX_HELP);
}
