/** Result of the clock check of a market: the shift at which reference prices fit the bars best. */
export interface ClockResult {
  /** Pairs of a bar and a reference price that were compared without a shift. */
  readonly compared: number;
  /** By how much the reference prices are late against the bars, in milliseconds; negative where they are early. */
  readonly lateMs: number;
}

/** Largest shift that is tried, in bars: 200 hours of hourly bars. */
const SHIFTS = 200;
/** Below the least number of pairs no finding is reported; beyond the most, no more pairs are taken. */
const PAIRS_LEAST = 48;
const PAIRS_MOST = 20_000;
/** A shift is reported only if it leaves at most this share of the variance. */
const VARIANCE_MOST = 0.5;

interface Sums {
  count: number;
  sum: number;
  squares: number;
}

const createSums = (): Sums[] => Array.from({ length: 2 * SHIFTS + 1 }, () => ({ count: 0, sum: 0, squares: 0 }));

/**
 * Compares the closes of a market's bars with its mark or index at every shift by whole bars. If the clocks agree, the
 * difference of both varies least without a shift. A wrong zone shows as a shift, and so do bars labelled by their
 * other end.
 */
export class ClockCheck {
  readonly #intervalMs: number;
  readonly #bars = new Map<number, number>();
  readonly #references = new Map<number, number>();
  readonly #sums = createSums();

  constructor(intervalMs: number) {
    this.#intervalMs = intervalMs;
  }

  addBar(closeMs: number, close: number): void {
    this.#bars.set(closeMs, close);
    for (let shift = 0; shift <= SHIFTS; shift++) {
      const reference = this.#references.get(closeMs - shift * this.#intervalMs);
      if (reference !== undefined) this.#add(-shift, close, reference);
    }
    this.#forget(this.#bars, closeMs);
    this.#forget(this.#references, closeMs);
  }

  addReference(timeMs: number, price: number): void {
    // Samples are recorded some time after their instant.
    const at = Math.floor(timeMs / this.#intervalMs) * this.#intervalMs;
    if (this.#references.has(at)) return;
    this.#references.set(at, price);
    for (let shift = 1; shift <= SHIFTS; shift++) {
      const close = this.#bars.get(at - shift * this.#intervalMs);
      if (close !== undefined) this.#add(shift, close, price);
    }
    const now = this.#bars.get(at);
    if (now !== undefined) this.#add(0, now, price);
  }

  get result(): ClockResult | undefined {
    const most = this.#sums.reduce((count, sums) => Math.max(count, sums.count), 0);
    const none = this.#sums[SHIFTS]!;
    if (most < PAIRS_LEAST || none.count < most / 2) return undefined;
    let best = 0;
    for (let shift = -SHIFTS; shift <= SHIFTS; shift++) {
      const sums = this.#sums[SHIFTS + shift]!;
      if (sums.count >= most / 2 && varianceOf(sums) < varianceOf(this.#sums[SHIFTS + best]!)) best = shift;
    }
    const isClear = varianceOf(this.#sums[SHIFTS + best]!) < varianceOf(none) * VARIANCE_MOST;
    return { compared: none.count, lateMs: isClear ? best * this.#intervalMs : 0 };
  }

  /** @param shift bars by which the reference is later than the bar */
  #add(shift: number, close: number, reference: number): void {
    const sums = this.#sums[SHIFTS + shift]!;
    if (sums.count >= PAIRS_MOST || close === 0) return;
    const difference = (reference - close) / close;
    sums.count++;
    sums.sum += difference;
    sums.squares += difference * difference;
  }

  #forget(prices: Map<number, number>, nowMs: number): void {
    for (const timeMs of prices.keys()) {
      if (timeMs >= nowMs - SHIFTS * this.#intervalMs) return;
      prices.delete(timeMs);
    }
  }
}

function varianceOf({ count, sum, squares }: Sums): number {
  const mean = sum / count;
  return squares / count - mean * mean;
}
