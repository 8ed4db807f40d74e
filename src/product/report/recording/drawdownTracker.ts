import { compareProducts } from "../../../ground/math/fixed.ts";
import type { DrawdownSpan } from "../input.ts";

/**
 * Follows an equity curve block by block and remembers its worst fall from a peak, relative to that peak. Falls are
 * compared crosswise, exactly. The curve starts with a positive value, so every peak is positive.
 */
export class DrawdownTracker {
  #peak: number;
  #peakTimeMs: number;
  #below = false;
  #longestMs = 0;
  #lastTimeMs: number;
  #worst: { -readonly [K in keyof DrawdownSpan]: DrawdownSpan[K] } | null = null;

  constructor(timeMs: number, equity: number) {
    this.#peak = equity;
    this.#peakTimeMs = timeMs;
    this.#lastTimeMs = timeMs;
  }

  get peak(): number {
    return this.#peak;
  }

  record(timeMs: number, equity: number): void {
    this.#lastTimeMs = timeMs;
    const worst = this.#worst;
    if (equity >= this.#peak) {
      if (this.#below) {
        this.#longestMs = Math.max(this.#longestMs, timeMs - this.#peakTimeMs);
        if (worst !== null && worst.recoveredTimeMs === null) worst.recoveredTimeMs = timeMs;
      }
      this.#below = false;
      this.#peak = equity;
      this.#peakTimeMs = timeMs;
      return;
    }
    this.#below = true;
    // (peak - equity) / peak > (worst.peak - worst.trough) / worst.peak
    if (worst !== null && compareProducts(equity, worst.peak, worst.trough, this.#peak) >= 0) return;
    this.#worst = {
      peak: this.#peak,
      trough: equity,
      peakTimeMs: this.#peakTimeMs,
      troughTimeMs: timeMs,
      recoveredTimeMs: null,
    };
  }

  /** Null while equity never fell below a peak. */
  get worst(): DrawdownSpan | null {
    return this.#worst === null ? null : { ...this.#worst };
  }

  /** Longest time from a peak to the next block at or above it, or to the last block. */
  get longestMs(): number {
    return this.#below ? Math.max(this.#longestMs, this.#lastTimeMs - this.#peakTimeMs) : this.#longestMs;
  }
}
