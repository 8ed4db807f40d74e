import { compareProducts } from "../../../ground/math/fixed.ts";
import type { DrawdownSpan } from "../input.ts";

type Span = { -readonly [K in keyof DrawdownSpan]: DrawdownSpan[K] };

/** How many of the deepest falls are remembered. */
const DEEPEST_MOST = 5;

/**
 * Follows an equity curve block by block and remembers its deepest falls from a peak, relative to that peak, one from
 * each peak. Falls are compared crosswise, exactly. The curve starts with a positive value, so every peak is positive.
 */
export class DrawdownTracker {
  #peak: number;
  #peakTimeMs: number;
  #below = false;
  #longestMs = Number.NaN;
  #lastTimeMs: number;
  /** Below the peak; NaN before the first time below one. */
  #trough = Number.NaN;
  #troughTimeMs = Number.NaN;
  /** Of peaks that equity has been back at, the deepest first; equal ones in the order of their time. */
  readonly #ended: DrawdownSpan[] = [];

  constructor(timeMs: number, equity: number) {
    this.#peak = equity;
    this.#peakTimeMs = timeMs;
    this.#lastTimeMs = timeMs;
    this.#longestMs = 0;
  }

  get peak(): number {
    return this.#peak;
  }

  record(timeMs: number, equity: number): void {
    this.#lastTimeMs = timeMs;
    if (equity >= this.#peak) {
      if (this.#below) {
        this.#longestMs = Math.max(this.#longestMs, timeMs - this.#peakTimeMs);
        this.#end(timeMs);
      }
      this.#below = false;
      this.#peak = equity;
      this.#peakTimeMs = timeMs;
      return;
    }
    if (this.#below && equity >= this.#trough) return;
    this.#below = true;
    this.#trough = equity;
    this.#troughTimeMs = timeMs;
  }

  /**
   * Whether values between these, one after the other, change nothing but the time: no peak, and no new lowest value.
   */
  isWithin(least: number, most: number): boolean {
    return most < this.#peak && this.#below && least >= this.#trough;
  }

  /** Passes over such values. */
  skipTo(timeMs: number): void {
    this.#lastTimeMs = timeMs;
  }

  #end(recoveredTimeMs: number): void {
    const ended = this.#ended;
    const last = ended[DEEPEST_MOST - 1];
    if (last !== undefined && !isDeeper(this.#trough, this.#peak, last)) return;
    insert(ended, this.#current(recoveredTimeMs));
    if (ended.length > DEEPEST_MOST) ended.pop();
  }

  #current(recoveredTimeMs: number | null): Span {
    return {
      peak: this.#peak,
      trough: this.#trough,
      peakTimeMs: this.#peakTimeMs,
      troughTimeMs: this.#troughTimeMs,
      recoveredTimeMs,
    };
  }

  /** The deepest five falls, each from its peak to the first time back at it, the deepest first. */
  get deepest(): DrawdownSpan[] {
    const spans = [...this.#ended];
    if (this.#below) insert(spans, this.#current(null));
    return spans.slice(0, DEEPEST_MOST);
  }

  /** Null while equity never fell below a peak. */
  get worst(): DrawdownSpan | null {
    return this.deepest[0] ?? null;
  }

  /** Longest time from a peak to the next block at or above it, or to the last block. */
  get longestMs(): number {
    return this.#below ? Math.max(this.#longestMs, this.#lastTimeMs - this.#peakTimeMs) : this.#longestMs;
  }
}

/** (peak - trough) / peak > (span.peak - span.trough) / span.peak */
function isDeeper(trough: number, peak: number, span: DrawdownSpan): boolean {
  return compareProducts(trough, span.peak, span.trough, peak) < 0;
}

function insert(spans: DrawdownSpan[], span: DrawdownSpan): void {
  const place = spans.findIndex((other) => isDeeper(span.trough, span.peak, other));
  spans.splice(place < 0 ? spans.length : place, 0, span);
}
