import type { RunRequest, RunResult } from "./record.ts";

/** Reports to a caller while runs are made. */
export interface RunEvents {
  /**
   * A run is complete, in the order in which runs end. An error that this throws ends `run` with it.
   */
  readonly onDone?: (result: RunResult, index: number) => void;
  /** Ends `run` early: runs under way are dropped, and the iteration throws the reason of the signal. */
  readonly signal?: AbortSignal;
}

/**
 * Makes runs. An implementation decides where: in this process, in threads, on other machines. Jobs are small, named by
 * their contents, and idempotent. A job that was lost may be made again, and a job that was made twice has one result.
 *
 *     for await (const { record } of engine.run(jobs.map((job) => ({ job })))) …
 */
export interface RunEngine {
  /**
   * Makes the runs of the requests.
   *
   * @returns the results in the order of the requests, whatever the order in which they end. An engine runs ahead of
   * its reader by a bounded number of results. A run that fails is a result; a failure of all runs is thrown.
   */
  run(requests: Iterable<RunRequest>, events?: RunEvents): AsyncIterable<RunResult>;
  /** Releases threads, files and connections. */
  close(): Promise<void>;
}
