import { ProblemError } from "../problems/problems.ts";
import { RateBuckets, type RatePolicy } from "./bucket.ts";
import { LIMITS, type LimitProfile, type Limits } from "./profiles.ts";

/** The allowances of all clients, by the limits of a profile. */
export class Limiter {
  readonly limits: Limits;
  /** Per client: reads, submissions, challenges. */
  readonly reads: RateBuckets | undefined;
  readonly submissions: RateBuckets | undefined;
  readonly challenges: RateBuckets | undefined;
  readonly #signer: RateBuckets | undefined;
  readonly #cancels: RateBuckets | undefined;
  readonly #faucetClient: RateBuckets | undefined;
  readonly #faucetAccount: RateBuckets | undefined;
  readonly #now: () => number;

  constructor(profile: LimitProfile, now: () => number) {
    const limits = LIMITS[profile];
    this.limits = limits;
    this.#now = now;
    this.reads = bucketsOf(limits.reads);
    this.submissions = bucketsOf(limits.submissions);
    this.challenges = bucketsOf(limits.challenges);
    this.#signer = bucketsOf(limits.signer);
    this.#cancels = bucketsOf(limits.cancels);
    this.#faucetClient = bucketsOf(limits.faucetClient);
    this.#faucetAccount = bucketsOf(limits.faucetAccount);
  }

  /**
   * Refuses a signer whose allowance is used up. It takes no units: the signature is not verified yet.
   *
   * @throws {ProblemError} RATE_LIMITED
   */
  checkSigner(signer: string, isCancel: boolean): void {
    const buckets = isCancel ? this.#cancels : this.#signer;
    if (buckets === undefined) return;
    const { allowed, retryAfterMs } = buckets.peek(signer, 1, this.#now());
    if (!allowed) throw limited(buckets.policy, retryAfterMs);
  }

  /** Counts a submission whose signature was verified. */
  chargeSigner(signer: string, isCancel: boolean): void {
    (isCancel ? this.#cancels : this.#signer)?.take(signer, 1, this.#now());
  }

  /** @throws {ProblemError} RATE_LIMITED if the client or the receiving account has used up its claims */
  admitClaim(client: string, account: string): void {
    const nowMs = this.#now();
    const both = [
      [this.#faucetClient, client],
      [this.#faucetAccount, account],
    ] as const;
    for (const [buckets, who] of both) {
      const allowance = buckets?.peek(who, 1, nowMs);
      if (allowance?.allowed === false) throw limited(buckets!.policy, allowance.retryAfterMs);
    }
    for (const [buckets, who] of both) buckets?.take(who, 1, nowMs);
  }
}

function bucketsOf(policy: RatePolicy | undefined): RateBuckets | undefined {
  return policy && new RateBuckets(policy);
}

/** The error for a request beyond a policy. */
export function limited({ name, quota, windowMs }: RatePolicy, retryAfterMs: number): ProblemError {
  const detail = `More than ${quota} in ${windowMs / 1_000} s (policy \`${name}\`); wait, then send again.`;
  return new ProblemError("RATE_LIMITED", detail, { reason: name.toUpperCase().replaceAll("-", "_"), retryAfterMs });
}
