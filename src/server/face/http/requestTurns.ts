import { setImmediate } from "node:timers";
import { Turns } from "../services/turns.ts";

/** Time for requests before other input is read, ms. A single request may take longer. */
const TURN_MS = 10;

/**
 * Carries out requests for some milliseconds, then yields to other input. The remaining requests wait, and clients take
 * turns, one request each. So a client with many requests does not delay a client with few. Requests of one client keep
 * the order of their arrival.
 */
export class RequestTurns {
  readonly #waiting = new Turns<() => void>();
  readonly #elapsed: () => number;
  /** Time used so far in this turn, ms. */
  #usedMs = 0;
  #isEndDue = false;

  /** @param elapsed time of a monotonic clock, ms */
  constructor(elapsed: () => number = () => performance.now()) {
    this.#elapsed = elapsed;
  }

  /** Carries out a request at once, or in its client's turn. It must not throw. */
  add(client: string, carryOut: () => void): void {
    if (this.#waiting.size > 0 || this.#usedMs >= TURN_MS) this.#waiting.add(client, carryOut);
    else this.#carryOut(carryOut);
    this.#endLater();
  }

  #carryOut(carryOut: () => void): void {
    const startMs = this.#elapsed();
    carryOut();
    this.#usedMs += this.#elapsed() - startMs;
  }

  /** Ends the turn after all input that has arrived is read. */
  #endLater(): void {
    if (this.#isEndDue) return;
    this.#isEndDue = true;
    setImmediate(() => {
      this.#isEndDue = false;
      this.#usedMs = 0;
      while (this.#waiting.size > 0 && this.#usedMs < TURN_MS) {
        for (const next of this.#waiting.take(1)) this.#carryOut(next);
      }
      if (this.#waiting.size > 0) this.#endLater();
    });
  }
}
