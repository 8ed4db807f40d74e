import type { QueueAddress } from "../../product/cluster/queue/address.ts";

/** Options of a command whose jobs workers may make. */
export interface QueueOptions {
  readonly redis?: string;
  readonly redisPrefix?: string;
  /** True if an option turned traces on. */
  readonly telemetry?: boolean;
}

/**
 * Reads the address of a queue. The environment may contain the password and may turn traces on.
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
