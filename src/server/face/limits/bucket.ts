/** How much a client may ask for: `quota` units in `windowMs`, all at once or spread. */
export interface RatePolicy {
  /** As in the header `RateLimit-Policy`. */
  readonly name: string;
  readonly quota: number;
  readonly windowMs: number;
}

/** What is left after a request, or how long to wait. */
export interface Allowance {
  readonly allowed: boolean;
  /** Units that are left now. */
  readonly remaining: number;
  /** Milliseconds until the whole quota is there again. */
  readonly resetMs: number;
  /** Milliseconds until the request would be allowed; 0 where it was. */
  readonly retryAfterMs: number;
}

/**
 * Buckets of tokens, one for each client, that fill at `quota / windowMs`. Of each only the time at which it is full is
 * kept (the generic cell rate algorithm), and of clients only those whose bucket is not full: memory is bounded by who
 * asked within the last window, and by `clientsMost`.
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

  /** Takes `weight` units if there are as many. A request heavier than the quota needs the whole of it. */
  take(client: string, weight: number, nowMs: number): Allowance {
    const { quota, windowMs } = this.policy;
    const before = Math.max(this.#fullAt.get(client) ?? nowMs, nowMs);
    const after = before + Math.min(weight, quota) * this.#msPerUnit;
    const wait = after - nowMs - windowMs;
    // Sums of fractions: a microsecond more or less refuses nobody.
    if (wait > 1e-3) return this.#tell(false, before - nowMs, Math.ceil(wait));
    this.#sweep(nowMs);
    this.#fullAt.set(client, after);
    return this.#tell(true, after - nowMs, 0);
  }

  /** What `take` would say, taking nothing. */
  peek(client: string, weight: number, nowMs: number): Allowance {
    const { quota, windowMs } = this.policy;
    const before = Math.max(this.#fullAt.get(client) ?? nowMs, nowMs);
    const wait = before + Math.min(weight, quota) * this.#msPerUnit - nowMs - windowMs;
    return this.#tell(wait <= 1e-3, before - nowMs, wait <= 1e-3 ? 0 : Math.ceil(wait));
  }

  #tell(allowed: boolean, missingMs: number, retryAfterMs: number): Allowance {
    const { quota } = this.policy;
    const remaining = Math.max(0, Math.floor(quota - missingMs / this.#msPerUnit + 1e-6));
    return { allowed, remaining, resetMs: Math.ceil(missingMs), retryAfterMs };
  }

  /** Forgets clients whose bucket is full: once a window, and when there are too many. */
  #sweep(nowMs: number): void {
    if (nowMs - this.#sweptAt < this.policy.windowMs && this.#fullAt.size < this.#most) return;
    this.#sweptAt = nowMs;
    for (const [client, fullAt] of this.#fullAt) if (fullAt <= nowMs) this.#fullAt.delete(client);
    // All of them busy: those seen first go, which only gives them a full bucket.
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
