/**
 * Where block times come from: `wall` follows the clock, and runs ahead of it once it was moved; `step` adds the same to
 * every block, so that equal submissions make equal chains.
 */
export type TimeMode = { readonly kind: "wall" } | { readonly kind: "step"; readonly stepMs: number };

/** Times of blocks. They rise with every block, and can be moved forward, never back. */
export class VirtualTime {
  mode: TimeMode;
  readonly #clock: () => number;
  /** How far block time is ahead of the clock. */
  #aheadMs = 0;
  /** What the next block gets besides, in `step`. */
  #advanceMs = 0;
  #next: number | undefined;

  constructor(mode: TimeMode, clock: () => number) {
    this.mode = mode;
    this.#clock = clock;
  }

  /** Block time goes on from where a chain stands, if that is ahead of the clock. */
  startAt(timeMs: number): void {
    this.#aheadMs = Math.max(0, timeMs - this.#clock());
  }

  /** Moves the times of the next blocks forward. */
  advance(ms: number): void {
    if (!Number.isSafeInteger(ms) || ms < 0) throw new RangeError(`${ms}: whole milliseconds, not negative`);
    this.#aheadMs += ms;
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
    if (this.mode.kind === "step") return parentMs + Math.max(1, this.mode.stepMs) + this.#advanceMs;
    return Math.max(parentMs + 1, Math.floor(this.#clock()) + this.#aheadMs);
  }

  /** Time of the next block behind one of `parentMs`. */
  take(parentMs: number): number {
    const timeMs = this.peek(parentMs);
    if (this.#next !== undefined) this.#aheadMs = timeMs - Math.floor(this.#clock());
    this.#next = undefined;
    this.#advanceMs = 0;
    return timeMs;
  }
}
