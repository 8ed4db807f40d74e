/** Names of perplab's own keys next to those of BullMQ, which begin with `PREFIX:jobs-…`. */
export interface Keys {
  /** Result of a finished job. */
  readonly result: (id: string) => string;
  /** Finished jobs by the time of their end: their number is the rate, the oldest go first. */
  readonly finished: string;
  /** Counters of all workers. */
  readonly counters: string;
  /** Files that jobs refer to, by the SHA-256 of their content. */
  readonly content: (sha256: string) => string;
  /** Marks a job as cancelled. */
  readonly cancelled: (id: string) => string;
  /** Workers by their name. */
  readonly workers: string;
}

export function keysOf(prefix: string): Keys {
  return {
    result: (id) => `${prefix}:result:${id}`,
    finished: `${prefix}:finished`,
    counters: `${prefix}:counters`,
    content: (sha256) => `${prefix}:content:${sha256}`,
    cancelled: (id) => `${prefix}:cancelled:${id}`,
    workers: `${prefix}:workers`,
  };
}

/** Time for which results, contents and marks stay in Redis without use, s. */
export const KEPT_S = 7 * 86_400;
