/** Longest time of one timer, ms: Node fires a longer one at once. */
const TIMER_MOST = 2 ** 31 - 1;

/** Calls at an interval, and not again before the last call has finished. */
export class BlockTimer {
  readonly #beat: () => Promise<unknown>;
  #timer: NodeJS.Timeout | undefined;
  #beating = false;

  constructor(beat: () => Promise<unknown>) {
    this.#beat = beat;
  }

  start(everyMs: number): void {
    this.stop();
    const parts = Math.ceil(everyMs / TIMER_MOST);
    let passed = 0;
    this.#timer = setInterval(() => {
      passed++;
      if (passed % parts === 0) void this.#call();
    }, everyMs / parts);
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  async #call(): Promise<void> {
    if (this.#beating) return;
    this.#beating = true;
    try {
      await this.#beat();
    } catch {
      // The host has stopped, and reports it itself.
      this.stop();
    } finally {
      this.#beating = false;
    }
  }
}
