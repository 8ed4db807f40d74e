import type { ClientMessage } from "../../../client/api/socket/messages.ts";

/** The history that a subscription reads. */
export interface AwaitedHistory {
  /** Undefined if streams can be opened now. */
  whenReady(): Promise<void> | undefined;
  report(error: unknown): void;
}

/** Messages of a client are carried out in their order, even while a subscription waits for the history. */
export class MessageQueue {
  readonly #history: AwaitedHistory;
  readonly #carryOut: (message: ClientMessage) => void;
  /** Messages that wait until the history is read; undefined if none do. */
  #waiting: ClientMessage[] | undefined;

  /** @param carryOut must not throw */
  constructor(history: AwaitedHistory, carryOut: (message: ClientMessage) => void) {
    this.#history = history;
    this.#carryOut = carryOut;
  }

  add(message: ClientMessage): void {
    if (this.#waiting !== undefined) {
      this.#waiting.push(message);
      return;
    }
    const ready = message.op === "subscribe" ? this.#history.whenReady() : undefined;
    if (ready === undefined) {
      this.#carryOut(message);
      return;
    }
    this.#waiting = [message];
    this.#resumeAfter(ready);
  }

  #resumeAfter(ready: Promise<void>): void {
    const resume = () => this.#resume();
    ready.then(resume, (error: unknown) => {
      this.#history.report(error);
      resume();
    });
  }

  #resume(): void {
    // Another large block may have come.
    const again = this.#history.whenReady();
    if (again !== undefined) {
      this.#resumeAfter(again);
      return;
    }
    const all = this.#waiting ?? [];
    this.#waiting = undefined;
    for (const message of all) this.#carryOut(message);
  }
}
