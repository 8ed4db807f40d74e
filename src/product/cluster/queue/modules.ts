import { ClusterError } from "./errors.ts";

/** The optional packages that commands with `--redis` load. */
export interface QueueModules {
  readonly bullmq: typeof import("bullmq");
  readonly Redis: typeof import("ioredis").Redis;
}

/** Versions with which perplab is tested, as package.json has them. */
const INSTALL = "npm install bullmq@6 ioredis@5";

/**
 * Loads BullMQ and its Redis client.
 *
 * @param load imports a package by its name; by default as Node finds it from here
 * @throws {ClusterError} CLUSTER_MODULES
 */
export async function loadModules(load: (name: string) => Promise<unknown> = importPackage): Promise<QueueModules> {
  try {
    const bullmq = (await load("bullmq")) as QueueModules["bullmq"];
    const { Redis } = (await load("ioredis")) as typeof import("ioredis");
    return { bullmq, Redis };
  } catch (cause) {
    const { code } = cause as { readonly code?: unknown };
    if (code !== "ERR_MODULE_NOT_FOUND" && code !== "MODULE_NOT_FOUND") throw cause;
    throw new ClusterError("CLUSTER_MODULES", "a queue needs the packages bullmq and ioredis, which are optional", {
      hint: `install them next to perplab: ${INSTALL}`,
      cause,
    });
  }
}

function importPackage(name: string): Promise<unknown> {
  return name === "bullmq" ? import("bullmq") : import("ioredis");
}
