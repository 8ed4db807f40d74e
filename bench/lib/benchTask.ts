import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Line } from "../../src/product/cluster/queue/line.ts";
import type { Task } from "../../src/product/cluster/queue/task.ts";

/**
 * A changed copy of the sources, in which the jobs of a bench run. It is a function of the clone, so that a worker
 * makes it from its own clone. Its version is the name of the queue: a worker of other sources takes no job.
 */
export interface BenchCopy {
  /** Name of the bench, such as `perpbench`. */
  readonly bench: string;
  /** Hash of all that decides a result: the first sixteen or more hexadecimal digits of a SHA-256. */
  readonly version: string;
  /** Words of a worker's command after the name, if its copy is not the usual one. */
  readonly words?: readonly string[];
}

/** What a worker has to know of a job. */
export interface BenchBody {
  readonly bench: string;
  readonly job: unknown;
  /** Variables of a process of its own. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** Seconds for the job. It decides no result that is kept, so it is not part of the name. */
  readonly patience: number;
}

/** Codes of a job without a result. */
export const TIMEOUT = "JOB_TIMEOUT";
export const LOST = "WORKER_LOST";

/** The queue of a copy: its results depend on its files and the Node line. */
export function lineOfCopy({ bench, version }: BenchCopy): Line {
  const { version: perplab } = JSON.parse(readFileSync(join(import.meta.dirname, "../../package.json"), "utf8"));
  return { perplab: `${perplab}, bench ${bench}`, code: version, node: Number.parseInt(process.versions.node, 10) };
}

/** A task with a name that is a function of the copy, the Node line and the job. */
export function createBenchTask(line: Line, body: BenchBody): Task {
  const { bench, job, env = {} } = body;
  const name = JSON.stringify([bench, line.code, line.node, job, Object.entries(env).sort()]);
  return { id: `${bench}-${createHash("sha256").update(name).digest("hex")}`, kind: bench, line, body };
}
