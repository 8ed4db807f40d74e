/** Allowance of a client: `quota` units in `windowMs`, at once or spread. */
export interface RatePolicy {
  /** As in the header `RateLimit-Policy`. */
  readonly name: string;
  readonly quota: number;
  readonly windowMs: number;
}

/** Units left after a request, or the time to wait. */
export interface Allowance {
  readonly allowed: boolean;
  /** Units left now. */
  readonly remaining: number;
  /** Milliseconds until the whole quota is available again. */
  readonly resetMs: number;
  /** Milliseconds until the request would be allowed; 0 if it was. */
  readonly retryAfterMs: number;
}

/**
 * Token buckets, one per client, that fill at `quota / windowMs`. Each is stored as the time at which it is full (the
 * generic cell rate algorithm), and full ones are not stored. Memory is therefore bounded by the clients of the last
 * window, and by `clientsMost`.
 */
export class RateBuckets {
  readonly policy: RatePolicy;
  readonly #fullAt = new Map<string, number>();
  readonly #msPerUnit: number;
  readonly #most: number;
  #sweptAt = 0;

  constructor(policy: RatePolicy, clientsMost = 100_000) {
    this.policy = policy;
    this.#msPerUnit = policy.windowMs / policy.quota;
    this.#most = clientsMost;
  }

  get size(): number {
    return this.#fullAt.size;
  }

  /** Takes `weight` units if they are available. A request heavier than the quota needs the whole of it. */
  take(client: string, weight: number, nowMs: number): Allowance {
    const { quota, windowMs } = this.policy;
    const before = Math.max(this.#fullAt.get(client) ?? nowMs, nowMs);
    const after = before + Math.min(weight, quota) * this.#msPerUnit;
    const wait = after - nowMs - windowMs;
    // The wait is a sum of fractions: a microsecond of rounding error must not refuse a client.
    if (wait > 1e-3) return this.#describe(false, before - nowMs, Math.ceil(wait));
    this.#sweep(nowMs);
    this.#fullAt.set(client, after);
    return this.#describe(true, after - nowMs, 0);
  }

  /** The result of `take`, without taking units. */
  peek(client: string, weight: number, nowMs: number): Allowance {
    const { quota, windowMs } = this.policy;
    const before = Math.max(this.#fullAt.get(client) ?? nowMs, nowMs);
    const wait = before + Math.min(weight, quota) * this.#msPerUnit - nowMs - windowMs;
    return this.#describe(wait <= 1e-3, before - nowMs, wait <= 1e-3 ? 0 : Math.ceil(wait));
  }

  #describe(allowed: boolean, missingMs: number, retryAfterMs: number): Allowance {
    const { quota } = this.policy;
    const remaining = Math.max(0, Math.floor(quota - missingMs / this.#msPerUnit + 1e-6));
    return { allowed, remaining, resetMs: Math.ceil(missingMs), retryAfterMs };
  }

  /** Drops clients whose bucket is full: once a window, and if there are too many. */
  #sweep(nowMs: number): void {
    if (nowMs - this.#sweptAt < this.policy.windowMs && this.#fullAt.size < this.#most) return;
    this.#sweptAt = nowMs;
    for (const [client, fullAt] of this.#fullAt) if (fullAt <= nowMs) this.#fullAt.delete(client);
    // No bucket is full: the oldest clients are dropped, which only refills their buckets.
    for (const client of this.#fullAt.keys()) {
      if (this.#fullAt.size < this.#most) break;
      this.#fullAt.delete(client);
    }
  }
}

/** Fields of the headers `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers-10). */
export function rateHeaders({ name, quota, windowMs }: RatePolicy, { remaining, resetMs }: Allowance) {
  return {
    "ratelimit-policy": `"${name}";q=${quota};w=${Math.ceil(windowMs / 1_000)}`,
    ratelimit: `"${name}";r=${remaining};t=${Math.ceil(resetMs / 1_000)}`,
  };
}
