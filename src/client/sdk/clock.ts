/** Longest time of one timer, ms; a longer timer fires at once. */
const TIMER_MOST = 2 ** 31 - 1;

/** Time and randomness of the client, replaceable in tests. Neither affects what is signed. */
export interface ClientClock {
  /** Milliseconds of a monotonic clock, for ages and deadlines. */
  nowMs(): number;
  /**
   * Resolves after the time, or after 24 days if it is longer.
   *
   * @throws the signal's reason if aborted
   */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** In [0, 1): spreads the retries of many clients. */
  random(): number;
}

/** The machine's monotonic clock, timers and random numbers. */
export const systemClock: ClientClock = {
  nowMs: () => performance.now(),
  random: () => Math.random(),
  sleep(ms, signal) {
    return new Promise((resolve, reject) => {
      if (signal?.aborted === true) return reject(signal.reason);
      const stop = () => {
        clearTimeout(timer);
        reject(signal?.reason);
      };
      const timer = setTimeout(
        () => {
          signal?.removeEventListener("abort", stop);
          resolve();
        },
        Math.min(ms, TIMER_MOST),
      );
      signal?.addEventListener("abort", stop, { once: true });
    });
  },
};

/** How long to wait between attempts. */
export interface RetryPolicy {
  /** Before the second attempt; doubles with each. Default: 200. */
  readonly baseMs: number;
  /** Longest wait that the client chooses itself. Default: 5,000. */
  readonly mostMs: number;
  /** Attempts of a read beyond the first. Default: 3. */
  readonly readsMost: number;
  /** How long a submission is retried before its outcome counts as unknown. Default: 120,000. */
  readonly submissionMs: number;
}

/** Retry policy of a client that sets none. */
export const DEFAULT_RETRY: RetryPolicy = { baseMs: 200, mostMs: 5_000, readsMost: 3, submissionMs: 120_000 };

/**
 * Wait before the next attempt: half of the doubling bound, plus a random part of the other half. It is never less than
 * the venue asked for.
 *
 * @param attempt attempts made so far, from 1
 * @param askedMs what the venue asked for, ms
 */
export function computeBackoffMs(policy: RetryPolicy, attempt: number, random: number, askedMs = 0): number {
  const bound = Math.min(policy.mostMs, policy.baseMs * 2 ** Math.min(attempt - 1, 20));
  return Math.max(askedMs, Math.round(bound / 2 + (random * bound) / 2));
}
