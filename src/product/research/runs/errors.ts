export type RunErrorCode =
  | "STRATEGY_CHANGED" // the strategy's files differ from those that the job names
  | "DATA_CHANGED" // the tape is not the one that the job names
  | "CODE_CHANGED" // the job is for another version of perplab
  | "STRATEGY_STATEFUL" // the same run made twice has two results
  | "RUN_UNKNOWN" // a job names a strategy or a tape that the engine was not given
  | "WORKER_LOST" // two threads ended while they made the same run
  | "RUN_TIMEOUT" // a run took longer than its limit
  | "RUN_FAILED"; // a run ended with an error that has no code of its own

/** Where and what to do. */
export interface RunErrorPlace {
  readonly place?: string | undefined;
  readonly hint?: string | undefined;
  readonly cause?: unknown;
}

/** Failures of an engine or of its input. */
export class RunError extends Error {
  override readonly name = "RunError";
  /** A `RunErrorCode`, or the code of the room below in which a thread failed. */
  readonly code: string;
  readonly place: string | undefined;
  readonly hint: string | undefined;

  constructor(code: string, reason: string, { place, hint, cause }: RunErrorPlace = {}) {
    super(reason, cause === undefined ? undefined : { cause });
    this.code = code;
    this.place = place;
    this.hint = hint;
  }
}
