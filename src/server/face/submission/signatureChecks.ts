import { setImmediate } from "node:timers";
import type { VerifierPool } from "../../../client/signing/verifierPool.ts";
import type { Verification } from "../../../client/signing/verify.ts";
import type { Signed } from "../../../protocol/codec.ts";

/** So few are checked sooner here than they are handed to a thread. */
const BATCH_LEAST = 4;
/** So many go to the thread at a time: the venue goes on with the first while the thread looks at the next. */
const BATCH_MOST = 48;
/**
 * While the thread looks at a batch, another of at least so many goes to it, so that neither waits for the other. Not
 * each as it comes: a message to a thread costs as much as a signature.
 */
const NEXT_LEAST = 16;

interface Submission {
  readonly signed: Signed;
  readonly give: (found: Verification | undefined) => void;
}

/**
 * Signatures of what clients submit. Checking one is the largest part of taking a transaction, and the only part that
 * needs nothing of the venue: where many come at a time, a thread beside does it while the venue goes on. It is started
 * when that first happens. Everybody is answered in the order of asking.
 */
export class SignatureChecks {
  readonly #start: () => Promise<VerifierPool>;
  readonly #onWarning: (error: unknown) => void;
  #pool: VerifierPool | undefined;
  #isStarted = false;
  #isClosed = false;
  #isYieldDue = false;
  #waiting: Submission[] = [];
  /** Batches that the thread has, and what comes when the last of them is answered. */
  #out = 0;
  #answered: Promise<void> = Promise.resolve();

  /**
   * @param start     starts the thread
   * @param onWarning hears why there is none, or no more: the venue then looks by itself, which costs nothing but time
   */
  constructor(start: () => Promise<VerifierPool>, onWarning: (error: unknown) => void = () => {}) {
    this.#start = start;
    this.#onWarning = onWarning;
  }

  /** What the check found; undefined where the venue is to look by itself. */
  check(signed: Signed): Promise<Verification | undefined> {
    return new Promise((give) => {
      this.#waiting.push({ signed, give });
      if (this.#isYieldDue) return;
      this.#isYieldDue = true;
      // Until all that is at hand has come in.
      setImmediate(() => {
        this.#isYieldDue = false;
        this.#turn();
      });
    });
  }

  /** Ends the thread; whoever still waits is told that the venue is to look by itself. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#pool?.close();
  }

  #turn(): void {
    // What waits has its turn when the thread is through with a batch.
    if (this.#out > 1 || (this.#out === 1 && this.#waiting.length < NEXT_LEAST)) return;
    const all = this.#waiting;
    this.#waiting = [];
    const isMany = all.length >= BATCH_LEAST;
    if (isMany && this.#pool !== undefined) {
      for (let at = 0; at < all.length; at += BATCH_MOST) this.#handOver(this.#pool, all.slice(at, at + BATCH_MOST));
      return;
    }
    if (isMany) this.#startOnce();
    for (const { give } of all) give(undefined);
  }

  #handOver(pool: VerifierPool, batch: readonly Submission[]): void {
    const found = pool.verifyTransactions(batch.map(({ signed }) => signed)).catch((error): Verification[] => {
      // Of all batches under way the first that fails tells.
      if (this.#pool !== undefined && !this.#isClosed) this.#onWarning(error);
      this.#pool = undefined;
      return [];
    });
    this.#out++;
    this.#answered = this.#answered.then(async () => {
      const findings = await found;
      this.#out--;
      for (const [place, { give }] of batch.entries()) give(findings[place]);
      if (this.#waiting.length > 0) this.#turn();
    });
  }

  #startOnce(): void {
    if (this.#isStarted) return;
    this.#isStarted = true;
    this.#start().then(
      (pool) => {
        if (this.#isClosed) void pool.close();
        else this.#pool = pool;
      },
      (error) => this.#onWarning(error),
    );
  }
}
