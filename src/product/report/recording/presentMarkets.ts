/** The markets of a run at its present point, by row. Columns are typed: a write allocates nothing. */
export class PresentMarkets {
  readonly count: number;
  readonly size: Float64Array;
  readonly mark: Float64Array;
  readonly last: Float64Array;
  readonly unrealizedPnl: Float64Array;
  /** Paid and received so far. */
  readonly funding: Float64Array;
  /** Of the margin account that backs the position; NaN where that is the account's own. */
  readonly marginEquity: Float64Array;
  readonly marginMaintenance: Float64Array;

  constructor(count: number) {
    this.count = count;
    this.size = new Float64Array(count);
    this.mark = new Float64Array(count);
    this.last = new Float64Array(count);
    this.unrealizedPnl = new Float64Array(count);
    this.funding = new Float64Array(count);
    this.marginEquity = new Float64Array(count).fill(Number.NaN);
    this.marginMaintenance = new Float64Array(count).fill(Number.NaN);
  }

  /** Whether a position is open. */
  get isHeld(): boolean {
    for (let market = 0; market < this.count; market++) if (this.size[market] !== 0) return true;
    return false;
  }

  /** A market is on the chart from its first price on. */
  isPriced(market: number): boolean {
    return this.mark[market] !== 0 || this.last[market] !== 0;
  }

  /** Of all positions. */
  get profit(): number {
    let sum = 0;
    for (let market = 0; market < this.count; market++) sum += this.unrealizedPnl[market]!;
    return sum;
  }
}
