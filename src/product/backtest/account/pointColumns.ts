import type { Ppb, SizeE8 } from "../../../ground/math/fixed.ts";
import type { PassedMarketPoints, PassedPayments, PassedPoints } from "../../report/input.ts";

/** Points that are kept until they are recorded. */
const CAPACITY = 512;

/** An account between two blocks that changed more of it than funding: columns that the recorder takes at once. */
export class PointColumns implements PassedPoints {
  count = 0;
  readonly times = new Float64Array(CAPACITY);
  readonly equity = new Float64Array(CAPACITY);
  readonly maintenance = new Float64Array(CAPACITY);
  readonly balance = new Float64Array(CAPACITY);
  readonly markets: readonly MarketColumns[];
  readonly payments = new PaymentColumns();
  /** Balance of the points that come next. It starts as `NaN`, which is stored as a double. */
  nextBalance = Number.NaN;

  constructor(markets: number) {
    this.markets = Array.from({ length: markets }, () => new MarketColumns());
  }

  /** How many points still fit. */
  get room(): number {
    return CAPACITY - this.count;
  }

  /** Forgets the points. */
  clear(): void {
    this.count = 0;
    this.payments.count = 0;
  }
}

class MarketColumns implements PassedMarketPoints {
  /** It starts as `NaN`, which is stored as a double. */
  size = Number.NaN as SizeE8;
  readonly marks = new Float64Array(CAPACITY);
  readonly lasts = new Float64Array(CAPACITY);
  readonly unrealizedPnl = new Float64Array(CAPACITY);
}

class PaymentColumns implements PassedPayments {
  count = 0;
  readonly points = new Float64Array(CAPACITY);
  readonly markets = new Float64Array(CAPACITY);
  readonly rates = new Float64Array(CAPACITY);
  readonly amounts = new Float64Array(CAPACITY);
  readonly indexes = new Float64Array(CAPACITY);

  /** How many payments still fit. */
  get room(): number {
    return CAPACITY - this.count;
  }

  /** @param point that has the payment in its values */
  add(point: number, market: number, rate: Ppb, amount: number, index: number): void {
    const at = this.count++;
    this.points[at] = point;
    this.markets[at] = market;
    this.rates[at] = rate;
    this.amounts[at] = amount;
    this.indexes[at] = index;
  }
}
