import type { Amount, SizeE8 } from "../../../ground/math/fixed.ts";
import type { PassedMarketPoints, PassedPoints } from "../../report/input.ts";

/** Points that are kept until they are recorded. */
const CAPACITY = 512;

/** An account at instants without a block, from one block to the next: columns that the recorder takes at once. */
export class PointColumns implements PassedPoints {
  count = 0;
  readonly times = new Float64Array(CAPACITY);
  readonly equity = new Float64Array(CAPACITY);
  readonly maintenance = new Float64Array(CAPACITY);
  readonly markets: readonly MarketColumns[];
  balance = 0 as Amount;

  constructor(markets: number) {
    this.markets = Array.from({ length: markets }, () => new MarketColumns());
  }

  /** How many points still fit. */
  get room(): number {
    return CAPACITY - this.count;
  }
}

class MarketColumns implements PassedMarketPoints {
  size = 0 as SizeE8;
  readonly marks = new Float64Array(CAPACITY);
  readonly lasts = new Float64Array(CAPACITY);
  readonly unrealizedPnl = new Float64Array(CAPACITY);
}
