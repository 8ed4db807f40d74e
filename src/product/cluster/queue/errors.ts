export type ClusterErrorCode =
  | "CLUSTER_MODULES" // the optional packages of the queue are not installed
  | "TRACES_UNREAD" // traces are asked for, and no SDK of OpenTelemetry is started in this process
  | "REDIS_URL" // the address of Redis is not a URL that it has
  | "REDIS_UNREACHABLE" // no Redis answers at the address
  | "REDIS_DENIED" // Redis refuses the name or the password, or a command
  | "REDIS_UNFIT" // Redis is too old, or may evict keys
  | "REDIS_FULL" // Redis has reached its memory limit
  | "REDIS_LOST" // Redis was away for longer than a command waits
  | "WORKER_VERSION" // the job is for another version of perplab or another Node line than the worker's
  | "WORKER_DIFFERS" // the worker computes another state root than the coordinator for the same run
  | "WORKER_LOST" // several workers ended while they had the job
  | "TAPE_MISSING" // the worker has no tape with the hash of the job
  | "TAPE_UNREACHABLE" // the server of the tapes does not answer as a file server does
  | "TAPE_WRONG" // a tape under the name of the job has another content
  | "CODE_MISSING" // the code of the strategy is not in Redis
  | "CODE_LARGE" // the code of the strategy is larger than the queue carries
  | "CODE_BROKEN" // the code of the strategy does not load on the worker, or is not the code that the job names
  | "SHARED_MISSING" // a text that the jobs of a command share is not in Redis
  | "JOB_CANCELLED" // the job was cancelled
  | "JOB_MALFORMED" // the job is none of perplab's
  | "JOB_UNKNOWN"; // the queue has no job with this name

/** Place and advice of an error. */
export interface ClusterErrorPlace {
  readonly place?: string | undefined;
  readonly hint?: string | undefined;
  readonly cause?: unknown;
}

/** Failures of the queue, of Redis, or of a worker. */
export class ClusterError extends Error {
  override readonly name = "ClusterError";
  readonly code: ClusterErrorCode;
  readonly place: string | undefined;
  readonly hint: string | undefined;

  constructor(code: ClusterErrorCode, reason: string, { place, hint, cause }: ClusterErrorPlace = {}) {
    super(reason, cause === undefined ? undefined : { cause });
    this.code = code;
    this.place = place;
    this.hint = hint;
  }
}
