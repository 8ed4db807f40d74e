export type JobErrorCode =
  | "WORKER_LOST" // two threads ended while they made the same job
  | "JOB_TIMEOUT" // a job took longer than its limit
  | "JOB_FAILED"; // a job ended with an error that has no code of its own

/** Where and what to do. */
export interface JobErrorPlace {
  readonly place?: string | undefined;
  readonly hint?: string | undefined;
}

/** Failure of a job. It ends the command. */
export class JobError extends Error {
  override readonly name = "JobError";
  /** A `JobErrorCode`, or the code of the error that the job threw in a thread or on a worker. */
  readonly code: string;
  readonly place: string | undefined;
  readonly hint: string | undefined;

  constructor(code: JobErrorCode | (string & {}), reason: string, { place, hint }: JobErrorPlace = {}) {
    super(reason);
    this.code = code;
    this.place = place;
    this.hint = hint;
  }
}
