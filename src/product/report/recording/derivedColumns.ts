import type { PassedPoints } from "../input.ts";
import type { DrawdownTracker } from "./drawdownTracker.ts";

const NONE: Float64Array = new Float64Array(0);

/** Measures of an account at each of several points: margin ratio, highest equity so far, and fall from it. */
export class DerivedColumns {
  #equity = NONE;
  #maintenance = NONE;
  #count = 0;
  /** The highest equity at the last point, which mostly is that at all of them. */
  #peak = Number.NaN;
  #isOnePeak = true;
  #peaks = NONE;
  #ratios = NONE;
  #drawdowns = NONE;
  /** Whether the columns are those of the points at hand. */
  #hasRatios = false;
  #hasDrawdowns = false;

  /** Takes in points with positive equity, between `least` and `most`, and takes them into the drawdown. */
  read({ count, times, equity, maintenance }: PassedPoints, drawdown: DrawdownTracker, least: number, most: number) {
    this.#hasRatios = false;
    this.#hasDrawdowns = false;
    this.#count = count;
    this.#equity = equity;
    this.#maintenance = maintenance;
    this.#isOnePeak = drawdown.isWithin(least, most);
    if (this.#isOnePeak) {
      drawdown.skipTo(times[count - 1]!);
    } else {
      const peaks = (this.#peaks = withRoom(this.#peaks, count));
      for (let at = 0; at < count; at++) {
        drawdown.record(times[at]!, equity[at]!);
        peaks[at] = drawdown.peak;
      }
    }
    this.#peak = drawdown.peak;
  }

  ratioAt(at: number): number {
    return this.#maintenance[at]! / this.#equity[at]!;
  }

  peakAt(at: number): number {
    return this.#isOnePeak ? this.#peak : this.#peaks[at]!;
  }

  drawdownAt(at: number): number {
    const peak = this.peakAt(at);
    return (peak - this.#equity[at]!) / peak;
  }

  /** No fall of points with at least this equity is greater. */
  boundDrawdown(leastEquity: number): number {
    return (this.#peak - leastEquity) / this.#peak;
  }

  readRatios(): Float64Array {
    if (this.#hasRatios) return this.#ratios;
    this.#hasRatios = true;
    const ratios = (this.#ratios = withRoom(this.#ratios, this.#count));
    for (let at = 0; at < this.#count; at++) ratios[at] = this.ratioAt(at);
    return ratios;
  }

  readDrawdowns(): Float64Array {
    if (this.#hasDrawdowns) return this.#drawdowns;
    this.#hasDrawdowns = true;
    const drawdowns = (this.#drawdowns = withRoom(this.#drawdowns, this.#count));
    for (let at = 0; at < this.#count; at++) drawdowns[at] = this.drawdownAt(at);
    return drawdowns;
  }
}

function withRoom(column: Float64Array, count: number): Float64Array {
  return column.length < count ? new Float64Array(2 * count) : column;
}
