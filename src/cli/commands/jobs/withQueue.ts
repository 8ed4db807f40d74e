import type { Connection } from "../../../product/cluster/queue/connection.ts";
import type { JobNote } from "../../../product/cluster/queue/survey.ts";
import { usageError } from "../../fail.ts";
import { readQueueAddress } from "../../runs/queueAddress.ts";

/** Options of every command of `jobs`. */
export interface JobsOptions {
  readonly redis: string;
  readonly redisPrefix?: string;
}

/**
 * Opens a connection, calls `work` with it, and closes it.
 *
 * @throws {ClusterError} a Redis that cannot be used
 */
export async function withQueue<Result>(
  options: JobsOptions,
  work: (connection: Connection) => Promise<Result>,
): Promise<Result> {
  const { connect, toClusterError } = await import("../../../product/cluster/queue/connection.ts");
  const connection = await connect(await readQueueAddress(options));
  try {
    return await work(connection);
  } catch (error) {
    throw toClusterError(error, connection.place);
  } finally {
    await connection.close();
  }
}

/**
 * Finds the jobs that a call names, or all jobs of some states.
 *
 * @throws {ClusterError} JOB_UNKNOWN
 */
export async function chooseJobs(
  connection: Connection,
  names: readonly string[],
  isAll: boolean | undefined,
  states: readonly JobNote["state"][],
): Promise<readonly JobNote[]> {
  const { findJob, listJobs } = await import("../../../product/cluster/queue/survey.ts");
  const hint = "name jobs as `jobs list` shows them, or use --all";
  if (isAll === true && names.length > 0) {
    throw usageError("OPTION_INVALID", "--all and names of jobs exclude each other", { place: "--all", hint });
  }
  if (isAll !== true && names.length === 0) {
    throw usageError("OPTION_MISSING", "no job is named", { place: "--all", hint });
  }
  if (isAll === true) return listJobs(connection, states, Number.MAX_SAFE_INTEGER);
  const found = new Map<string, JobNote>();
  for (const name of names) {
    const job = await findJob(connection, name);
    found.set(job.id, job);
  }
  return [...found.values()];
}
