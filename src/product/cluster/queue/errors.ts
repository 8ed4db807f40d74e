export type ClusterErrorCode =
  | "CLUSTER_MODULES" // the optional packages of the queue are not installed
  | "TRACES_UNREAD" // traces are turned on, and this process has no SDK of OpenTelemetry
  | "REDIS_URL" // the address is not one of a Redis
  | "REDIS_UNREACHABLE" // no Redis answers at the address
  | "REDIS_DENIED" // Redis refuses the user, the password or a command
  | "REDIS_UNFIT" // Redis is too old, may evict keys, is a replica or a cluster, or cannot write to its disk
  | "REDIS_FULL" // Redis has reached its memory limit
  | "REDIS_LOST" // Redis was unreachable for longer than a command waits
  | "WORKER_VERSION" // the job is for another version of perplab or another Node line than the worker's
  | "WORKER_DIFFERS" // the worker computes another state root than the machine of the command for the same run
  | "WORKER_LOST" // several workers ended while they made the job
  | "TAPE_MISSING" // the worker has no tape with the hash of the job
  | "TAPE_UNREACHABLE" // the server of the tapes does not answer, or not with a range of bytes
  | "TAPE_WRONG" // a tape on the server has another content than its name says
  | "CODE_MISSING" // the code of the strategy is not in Redis
  | "CODE_LARGE" // the code of the strategy is larger than the queue carries
  | "CODE_BROKEN" // the code of the strategy does not load on the worker, or needs packages that it does not have
  | "SHARED_MISSING" // a text that the jobs of a command share is not in Redis
  | "JOB_CANCELLED" // the job was cancelled
  | "JOB_MALFORMED" // the job was not written by this version of perplab
  | "JOB_UNKNOWN"; // the queue has no job with this name

/** Place, hint and cause of an error. */
export interface ClusterErrorPlace {
  readonly place?: string | undefined;
  readonly hint?: string | undefined;
  readonly cause?: unknown;
}

/** Failure of the queue, of Redis or of a worker. */
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
