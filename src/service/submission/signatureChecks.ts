import { setImmediate } from "node:timers";
import type { Signed } from "../../protocol/codec.ts";
import type { VerifierPool } from "../../signing/verifierPool.ts";
import type { Verification } from "../../signing/verify.ts";

/** So few are checked sooner here than they are handed to a thread. */
const BATCH_LEAST = 4;

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
  #pool: VerifierPool | undefined;
  #isStarted = false;
  #isClosed = false;
  #isTurnDue = false;
  /** A batch is with the thread. */
  #isOut = false;
  #waiting: Submission[] = [];

  /** @param start starts the thread */
  constructor(start: () => Promise<VerifierPool>) {
    this.#start = start;
  }

  /** What the check found; undefined where the venue is to look by itself. */
  check(signed: Signed): Promise<Verification | undefined> {
    return new Promise((give) => {
      this.#waiting.push({ signed, give });
      if (this.#isOut || this.#isTurnDue) return;
      this.#isTurnDue = true;
      setImmediate(() => {
        this.#isTurnDue = false;
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
    const batch = this.#waiting;
    this.#waiting = [];
    if (batch.length >= BATCH_LEAST) {
      if (this.#pool !== undefined) {
        void this.#handOver(this.#pool, batch);
        return;
      }
      this.#startOnce();
    }
    for (const { give } of batch) give(undefined);
  }

  async #handOver(pool: VerifierPool, batch: readonly Submission[]): Promise<void> {
    this.#isOut = true;
    let found: readonly Verification[] = [];
    try {
      found = await pool.verifyTransactions(batch.map(({ signed }) => signed));
    } catch {
      // The thread has ended. From now on the venue looks by itself.
      this.#pool = undefined;
    }
    this.#isOut = false;
    for (const [place, { give }] of batch.entries()) give(found[place]);
    // After those before them; and the thread has its next batch before the venue goes on with this one.
    if (this.#waiting.length > 0) this.#turn();
  }

  #startOnce(): void {
    if (this.#isStarted) return;
    this.#isStarted = true;
    this.#start().then(
      (pool) => {
        if (this.#isClosed) void pool.close();
        else this.#pool = pool;
      },
      () => {}, // There is none here; the venue looks by itself.
    );
  }
}
