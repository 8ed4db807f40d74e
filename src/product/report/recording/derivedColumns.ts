import type { PassedPoints } from "../input.ts";
import type { DrawdownTracker } from "./drawdownTracker.ts";

/** Measures of an account at each point, as columns: margin ratio, highest equity so far, and fall from it. */
export class DerivedColumns {
  readonly capacity: number;
  readonly ratios: Float64Array;
  readonly peaks: Float64Array;
  readonly drawdowns: Float64Array;
  /** For the size of a market, which is the same at all of them. */
  readonly sizes: Float64Array;

  constructor(capacity: number) {
    this.capacity = capacity;
    this.ratios = new Float64Array(capacity);
    this.peaks = new Float64Array(capacity);
    this.drawdowns = new Float64Array(capacity);
    this.sizes = new Float64Array(capacity);
  }

  /** Reads points with positive equity, between `least` and `most`, and takes them into the drawdown. */
  read({ count, times, equity, maintenance }: PassedPoints, drawdown: DrawdownTracker, least: number, most: number) {
    const { ratios, peaks, drawdowns } = this;
    if (drawdown.isWithin(least, most)) {
      drawdown.skipTo(times[count - 1]!);
      peaks.fill(drawdown.peak, 0, count);
    } else {
      for (let at = 0; at < count; at++) {
        drawdown.record(times[at]!, equity[at]!);
        peaks[at] = drawdown.peak;
      }
    }
    for (let at = 0; at < count; at++) {
      ratios[at] = maintenance[at]! / equity[at]!;
      drawdowns[at] = (peaks[at]! - equity[at]!) / peaks[at]!;
    }
  }
}
