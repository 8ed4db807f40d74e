/**
 * Where block times come from: `wall` follows the clock, `speed` times as fast, and runs ahead of it once it was moved;
 * `step` adds the same to every block, so that equal submissions make equal chains.
 */
export type TimeMode =
  | { readonly kind: "wall"; readonly speed?: number }
  | { readonly kind: "step"; readonly stepMs: number };

/** Times of blocks. They rise with every block, and can be moved forward, never back. */
export class VirtualTime {
  #mode: TimeMode;
  readonly #clock: () => number;
  /** In `wall`: when the clock says `#fromClock`, block time is `#fromMs`. */
  #fromClock = 0;
  #fromMs = 0;
  /** What the next block gets besides, in `step`. */
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

  /** Block time goes on from where a chain stands, if that is ahead of the clock. */
  startAt(timeMs: number): void {
    if (timeMs > this.#now()) this.#anchor(timeMs);
  }

  /** Another way of counting, which goes on from `timeMs`. */
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

  /** Gives the next block this time, and goes on from there. One that is not above its parent's is lifted. */
  setNext(timeMs: number): void {
    if (!Number.isSafeInteger(timeMs) || timeMs < 0) throw new RangeError(`${timeMs}: whole milliseconds since 1970`);
    this.#next = timeMs;
  }

  /** What `take` would give now. */
  peek(parentMs: number): number {
    if (this.#next !== undefined) return Math.max(parentMs + 1, this.#next);
    const { mode } = this;
    if (mode.kind === "step") return parentMs + Math.max(1, mode.stepMs) + this.#advanceMs;
    return Math.max(parentMs + 1, this.#now());
  }

  /** Time of the next block behind one of `parentMs`. */
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
