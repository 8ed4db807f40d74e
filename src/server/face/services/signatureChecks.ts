import { setImmediate } from "node:timers";
import type { VerifierPool } from "../../../client/signing/verifierPool.ts";
import type { Verification } from "../../../client/signing/verify.ts";
import type { Signed } from "../../../protocol/codec.ts";
import { Turns } from "./turns.ts";

/** A smaller batch is verified faster here than in a thread. */
const BATCH_LEAST = 4;
/** Largest batch of the thread: the venue processes one batch while the thread verifies the next. */
const BATCH_MOST = 48;
/** Batches at the thread: one that it verifies, and one that it verifies next. */
const OUT_MOST = 2;
/**
 * Smallest batch to send while the thread verifies another, so that neither side waits for the other. Single signatures
 * are not sent: a message to a thread costs as much as a signature.
 */
const NEXT_LEAST = 16;

interface Submission {
  readonly signed: Signed;
  readonly give: (found: Verification | undefined) => void;
}

/**
 * Verifies the signatures of submissions. That is the largest part of accepting a transaction, and the only part that
 * does not need the venue. Under load a thread does it in parallel; it is started when that first happens. Clients have
 * their turns, one submission each; those of one client are answered in the order of their arrival.
 */
export class SignatureChecks {
  readonly #start: () => Promise<VerifierPool>;
  readonly #onWarning: (error: unknown) => void;
  #pool: VerifierPool | undefined;
  #isStarted = false;
  #isClosed = false;
  #isYieldDue = false;
  readonly #waiting = new Turns<Submission>();
  /** Batches at the thread, and the next step after the last of them. */
  #out = 0;
  #answered: Promise<void> = Promise.resolve();

  /**
   * @param start     starts the thread
   * @param onWarning called with the reason if there is no thread, or no longer: the host then verifies by itself
   */
  constructor(start: () => Promise<VerifierPool>, onWarning: (error: unknown) => void = () => {}) {
    this.#start = start;
    this.#onWarning = onWarning;
  }

  /** Result of the check; undefined if the host has to verify by itself. */
  check(signed: Signed, client: string): Promise<Verification | undefined> {
    return new Promise((give) => {
      this.#waiting.add(client, { signed, give });
      this.#turnLater();
    });
  }

  /** Ends the thread; for pending checks the host verifies by itself. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#pool?.close();
  }

  /** Runs the next step after all input that has arrived is read. */
  #turnLater(): void {
    if (this.#isYieldDue) return;
    this.#isYieldDue = true;
    setImmediate(() => {
      this.#isYieldDue = false;
      this.#turn();
    });
  }

  #turn(): void {
    const waiting = this.#waiting;
    // Waiting signatures are sent when the thread has finished a batch: of those that have come until then, in turn.
    if (this.#out >= OUT_MOST || (this.#out > 0 && waiting.size < NEXT_LEAST)) return;
    const isMany = waiting.size >= BATCH_LEAST;
    if (isMany && this.#pool !== undefined) {
      while (this.#out < OUT_MOST && waiting.size >= (this.#out === 0 ? 1 : NEXT_LEAST)) {
        this.#handOver(this.#pool, waiting.take(BATCH_MOST));
      }
      return;
    }
    if (isMany) this.#startOnce();
    for (const { give } of waiting.take(BATCH_MOST)) give(undefined);
    // The venue verifies them by itself; input of other clients comes before the next.
    if (waiting.size > 0) this.#turnLater();
  }

  #handOver(pool: VerifierPool, batch: readonly Submission[]): void {
    const found = pool.verifyTransactions(batch.map(({ signed }) => signed)).catch((error): Verification[] => {
      // Only the first failing batch is reported.
      if (this.#pool !== undefined && !this.#isClosed) this.#onWarning(error);
      this.#pool = undefined;
      return [];
    });
    this.#out++;
    this.#answered = this.#answered.then(async () => {
      const findings = await found;
      this.#out--;
      for (const [place, { give }] of batch.entries()) give(findings[place]);
      if (this.#waiting.size > 0) this.#turn();
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
