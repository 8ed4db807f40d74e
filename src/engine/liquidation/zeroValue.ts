import { bigDivCeil } from "../../math/fixed.ts";

/**
 * What a liquidated position must fetch at its zero price, in cash to the liquidated account: positive for a sale at a
 * positive price. It is given out in slices that add up to the whole exactly; each cumulative slice is rounded up, for
 * the liquidated account (NUM-2).
 */
export class ZeroValue {
  readonly total: bigint;
  readonly lots: number;
  private done = 0;
  private given = 0n;

  constructor(total: bigint, lots: number) {
    this.total = total;
    this.lots = lots;
  }

  /** Cash for the next `lots`, not yet given out. */
  peek(lots: number): bigint {
    return this.upTo(this.done + lots) - this.given;
  }

  /** Gives out the next `lots`. */
  take(lots: number): void {
    this.done += lots;
    this.given = this.upTo(this.done);
  }

  private upTo(lots: number): bigint {
    return bigDivCeil(this.total * BigInt(lots), BigInt(this.lots));
  }
}
