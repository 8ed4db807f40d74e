import { compareProducts } from "../../../ground/math/fixed.ts";
import type { RecordedStatistics } from "../input.ts";

/** How close an account came to liquidation, and for how long. */
export class MarginTracker {
  #peak: RecordedStatistics["peakMarginRatio"] = null;
  #near = false;
  #nearMs = 0;
  #lastTimeMs: number;

  constructor(timeMs: number) {
    this.#lastTimeMs = timeMs;
  }

  /** Values after a block hold until the next block. */
  record(timeMs: number, equity: number, maintenance: number): void {
    if (this.#near) this.#nearMs += timeMs - this.#lastTimeMs;
    this.#lastTimeMs = timeMs;
    this.#near = maintenance > 0 && compareProducts(equity, 2, maintenance, 3) < 0;
    this.observe(timeMs, equity, maintenance);
  }

  /**
   * Whether no values with at least this equity and at most this maintenance are near liquidation, or nearer than any
   * before.
   */
  isWithin(leastEquity: number, mostMaintenance: number): boolean {
    if (mostMaintenance <= 0) return true;
    return compareProducts(leastEquity, 2, mostMaintenance, 3) >= 0 && !this.#isHigher(leastEquity, mostMaintenance);
  }

  /** Passes over such values. @param firstMs time of the first of them */
  skipTo(firstMs: number, lastMs: number): void {
    if (this.#near) this.#nearMs += firstMs - this.#lastTimeMs;
    this.#near = false;
    this.#lastTimeMs = lastMs;
  }

  /** Records a ratio within a block, as a liquidation found it; the end of the block does not show it. */
  observe(timeMs: number, equity: number, maintenance: number): void {
    if (maintenance > 0 && this.#isHigher(equity, maintenance)) this.#peak = { maintenance, equity, timeMs };
  }

  #isHigher(equity: number, maintenance: number): boolean {
    const peak = this.#peak;
    if (peak === null) return true;
    if (peak.equity <= 0) return equity < peak.equity;
    return equity <= 0 || compareProducts(maintenance, peak.equity, peak.maintenance, equity) > 0;
  }

  get nearMs(): number {
    return this.#nearMs;
  }

  get peak(): RecordedStatistics["peakMarginRatio"] {
    return this.#peak;
  }
}
