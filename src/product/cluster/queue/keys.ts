/** Keys of perplab in Redis. The keys of BullMQ begin with `PREFIX:jobs-…`. */
export interface Keys {
  /** Result of a finished job. */
  readonly result: (id: string) => string;
  /** Sorted set of finished jobs by the time of their end: for the rate, and to drop the oldest results. */
  readonly finished: string;
  /** Hash with the counters of all workers. */
  readonly counters: string;
  /** Text that jobs refer to, by its SHA-256. */
  readonly content: (sha256: string) => string;
  /** Mark of a cancelled job. */
  readonly cancelled: (id: string) => string;
  /** Hash with a note of each worker, by its name. */
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

/** Lifetime of results, contents and marks in Redis, s. */
export const KEPT_S = 7 * 86_400;
