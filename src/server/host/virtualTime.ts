/**
 * Source of block times. `wall` follows the clock, `speed` times as fast, and stays ahead of it once it was moved.
 * `step` adds the same to every block, so that equal submissions make equal chains.
 */
export type TimeMode =
  | { readonly kind: "wall"; readonly speed?: number }
  | { readonly kind: "step"; readonly stepMs: number };

/** Times of blocks. They rise with every block, and can be moved forward, never back. */
export class VirtualTime {
  #mode: TimeMode;
  readonly #clock: () => number;
  /** In `wall`: block time is `#fromMs` when the clock is at `#fromClock`. */
  #fromClock = 0;
  #fromMs = 0;
  /** Additional time of the next block, in `step`. */
  #advanceMs = 0;
  #next: number | undefined;

  constructor(mode: TimeMode, clock: () => number) {
    this.#mode = mode;
    this.#clock = clock;
    if (mode.kind === "wall" && mode.speed !== undefined) this.#anchor(clock());
  }

  get mode(): TimeMode {
    return this.#mode;
  }

  /** Block time continues from the head's time, if that is ahead of the clock. */
  startAt(timeMs: number): void {
    if (timeMs > this.#now()) this.#anchor(timeMs);
  }

  /** Changes the mode; block time continues from `timeMs`. */
  change(mode: TimeMode, timeMs: number): void {
    if (mode.kind === "wall" && !((mode.speed ?? 1) > 0)) throw new RangeError(`${mode.speed}: above 0`);
    this.#mode = mode;
    this.#advanceMs = 0;
    this.#anchor(timeMs);
  }

  /** Moves the times of the next blocks forward. */
  advance(ms: number): void {
    if (!Number.isSafeInteger(ms) || ms < 0) throw new RangeError(`${ms}: whole milliseconds, not negative`);
    this.#fromMs += ms;
    this.#advanceMs += ms;
  }

  /** Gives the next block this time, and continues from there. A time that is not above the parent's is raised. */
  setNext(timeMs: number): void {
    if (!Number.isSafeInteger(timeMs) || timeMs < 0) throw new RangeError(`${timeMs}: whole milliseconds since 1970`);
    this.#next = timeMs;
  }

  /** The time that `take` would return now. */
  peek(parentMs: number): number {
    if (this.#next !== undefined) return Math.max(parentMs + 1, this.#next);
    const { mode } = this;
    if (mode.kind === "step") return parentMs + Math.max(1, mode.stepMs) + this.#advanceMs;
    return Math.max(parentMs + 1, this.#now());
  }

  /** Time of the next block after one of `parentMs`. */
  take(parentMs: number): number {
    const timeMs = this.peek(parentMs);
    if (this.#next !== undefined) this.#anchor(timeMs);
    this.#next = undefined;
    this.#advanceMs = 0;
    return timeMs;
  }

  #anchor(timeMs: number): void {
    this.#fromClock = Math.floor(this.#clock());
    this.#fromMs = timeMs;
  }

  /** Block time by the clock, in whole milliseconds. */
  #now(): number {
    const speed = this.#mode.kind === "wall" ? (this.#mode.speed ?? 1) : 1;
    return this.#fromMs + Math.floor((Math.floor(this.#clock()) - this.#fromClock) * speed);
  }
}
