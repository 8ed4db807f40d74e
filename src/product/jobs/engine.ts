/** Jobs of one kind, made for one command. */
export interface Batch {
  /** Name of the kind in the table of kinds, see `JobKinds`. */
  readonly kind: string;
  /** Text that every job of the batch reads; empty for none. A queue stores it once. */
  readonly shared: string;
  /**
   * The jobs: for each, the data that it alone has. Plain data that JSON keeps as they are, a few kilobytes, with the
   * fields always in the same order: a queue names a job by the hash of this text.
   */
  readonly parts: readonly unknown[];
}

/** Reports to a caller while a batch is made. */
export interface JobEvents {
  /** A job has ended, with its place among the parts. Jobs end in any order. */
  readonly onDone?: ((at: number) => void) | undefined;
  /** Ends `run` early: jobs under way are dropped, and `run` throws the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Makes jobs. An implementation decides where: in this thread, in other threads, or on the workers of a queue. The
 * result of a job is a function of the code, of its kind, of `shared` and of its part. So every implementation gives
 * the same results, and a job that is made twice has one result.
 */
export interface JobEngine {
  /**
   * Makes all jobs of a batch.
   *
   * @returns the text of each result, in the order of the parts
   * @throws the error of the first part that fails, in the order of the parts; {JobError} if the job ended its threads
   * or exceeded its limit
   */
  run(batch: Batch, events?: JobEvents): Promise<readonly string[]>;
  /** Releases threads and connections. */
  close(): Promise<void>;
}
