import { setImmediate } from "node:timers";
import { Turns } from "../services/turns.ts";

/** Is called when many requests of a client wait, and when most of them have been carried out. */
export interface WaitObserver {
  onMany(client: string): void;
  onFew(client: string): void;
}

/** Waiting requests of a client that are many. One that awaits each answer has fewer on 256 connections. */
export const MANY = 256;
/** Waiting requests that are few again: some turns of work, so that the venue never waits for input. */
export const FEW = 64;

interface Waiting {
  readonly client: string;
  readonly carryOut: () => void;
}

/** Time for requests before other input is read, ms. A single request may take longer. */
const TURN_MS = 10;

/**
 * Carries out requests for some milliseconds, then yields to other input. The remaining requests wait, and clients take
 * turns, one request each. So a client with many requests does not delay a client with few. Requests of one client keep
 * the order of their arrival.
 */
export class RequestTurns {
  readonly #waiting = new Turns<Waiting>();
  readonly #elapsed: () => number;
  readonly #observer: WaitObserver | undefined;
  /** Time used so far in this turn, ms. */
  #usedMs = 0;
  #isEndDue = false;

  /** @param elapsed time of a monotonic clock, ms */
  constructor(observer?: WaitObserver, elapsed: () => number = () => performance.now()) {
    this.#observer = observer;
    this.#elapsed = elapsed;
  }

  /** Carries out a request at once, or in its client's turn. It must not throw. */
  add(client: string, carryOut: () => void): void {
    if (this.#waiting.size > 0 || this.#usedMs >= TURN_MS) {
      this.#waiting.add(client, { client, carryOut });
      if (this.#waiting.sizeOf(client) === MANY) this.#observer?.onMany(client);
    } else {
      this.#carryOut(carryOut);
    }
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
        for (const { client, carryOut } of this.#waiting.take(1)) {
          this.#carryOut(carryOut);
          if (this.#waiting.sizeOf(client) === FEW) this.#observer?.onFew(client);
        }
      }
      if (this.#waiting.size > 0) this.#endLater();
    });
  }
}
