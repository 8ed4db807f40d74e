import type { QueueAddress } from "../../product/cluster/queue/address.ts";

/** Options of a command whose jobs may be done by workers. */
export interface QueueOptions {
  readonly redis?: string;
  readonly redisPrefix?: string;
  /** Traces are asked for by an option. */
  readonly telemetry?: boolean;
}

/**
 * The address of a queue. A password may be in the environment instead of the command, and so may a wish for traces.
 *
 * @throws {ClusterError} REDIS_URL
 */
export async function readQueueAddress({
  redis,
  redisPrefix,
  telemetry = false,
}: Required<Pick<QueueOptions, "redis">> & QueueOptions): Promise<QueueAddress> {
  const { findTraces, readAddress } = await import("../../product/cluster/queue/address.ts");
  const address = readAddress(redis, redisPrefix, process.env["PERPLAB_REDIS_PASSWORD"]);
  const traces = telemetry ? "--telemetry" : findTraces(process.env);
  return traces === undefined ? address : { ...address, traces };
}
