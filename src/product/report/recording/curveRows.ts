import type { AccountColumn, PassedPoints } from "../input.ts";
import type { BuyAndHold } from "./buyAndHold.ts";
import { DerivedColumns } from "./derivedColumns.ts";
import type { DrawdownTracker } from "./drawdownTracker.ts";
import { type FundingAtPoints, NO_PAYMENTS } from "./fundingAtPoints.ts";
import type { RowSource } from "./thinner.ts";

export const ACCOUNT_COLUMNS: readonly AccountColumn[] = [
  "timeMs",
  "equity",
  "balance",
  "maintenance",
  "funding",
  "fees",
  "peak",
  "buyAndHold",
  "marginRatio",
];
/** Place of the margin ratio; the drawdown follows. */
export const RATIO = ACCOUNT_COLUMNS.length - 1;
/** Of a kept point; equity and maintenance of the account follow, for the liquidation price. */
export const POINT_COLUMNS = ["timeMs", "size", "mark", "last", "funding"] as const;

const NONE = new Float64Array(0);
const NO_POINTS: PassedPoints = {
  count: 0,
  times: NONE,
  equity: NONE,
  maintenance: NONE,
  balance: NONE,
  markets: [],
  payments: NO_PAYMENTS,
};

/** Extremes of several points. */
export interface AccountBounds {
  readonly leastEquity: number;
  readonly mostEquity: number;
  readonly mostMaintenance: number;
}

const NO_BOUNDS: AccountBounds = { leastEquity: Number.NaN, mostEquity: Number.NaN, mostMaintenance: Number.NaN };

/** Sums since the start of a run, in quote units. */
export class RunningSums {
  // They start as `NaN`, which is stored as a double, so that their shape never changes.
  funding = Number.NaN;
  fees = Number.NaN;

  constructor() {
    this.funding = 0;
    this.fees = 0;
  }
}

/** Rows of the account at several points. */
export class AccountRows implements RowSource {
  readonly #row: Float64Array;
  readonly #benchmark: BuyAndHold;
  readonly #sums: RunningSums;
  readonly #funding: FundingAtPoints;
  readonly #derived = new DerivedColumns();
  #points = NO_POINTS;
  #bounds: AccountBounds = NO_BOUNDS;

  constructor(row: Float64Array, benchmark: BuyAndHold, sums: RunningSums, funding: FundingAtPoints) {
    this.#row = row;
    this.#benchmark = benchmark;
    this.#sums = sums;
    this.#funding = funding;
  }

  read(points: PassedPoints, bounds: AccountBounds, drawdown: DrawdownTracker): void {
    this.#points = points;
    this.#bounds = bounds;
    this.#derived.read(points, drawdown, bounds.leastEquity, bounds.mostEquity);
  }

  // Divisions are rounded, and a greater quotient never rounds to a smaller number.
  getMost(key: number): number {
    const { leastEquity, mostEquity, mostMaintenance } = this.#bounds;
    if (key === 0) return mostEquity;
    return key === 1 ? mostMaintenance / leastEquity : this.#derived.boundDrawdown(leastEquity);
  }

  /** Of equity, the one key that keeps both. */
  getLeast(): number {
    return this.#bounds.leastEquity;
  }

  readColumn(key: number): Float64Array {
    if (key === 0) return this.#points.equity;
    return key === 1 ? this.#derived.readRatios() : this.#derived.readDrawdowns();
  }

  fill(at: number): Float64Array {
    const { times, equity, balance, maintenance, markets } = this.#points;
    const row = this.#row;
    row[0] = times[at]!;
    row[1] = equity[at]!;
    row[2] = balance[at]!;
    row[3] = maintenance[at]!;
    row[4] = this.#funding.at(at);
    row[5] = this.#sums.fees;
    row[6] = this.#derived.peakAt(at);
    row[7] = this.#benchmark.equityAt(markets, at);
    row[RATIO] = this.#derived.ratioAt(at);
    row[RATIO + 1] = this.#derived.drawdownAt(at);
    return row;
  }
}

/** Rows of a market at several points, at which one margin account backs all positions. */
export class MarketRows implements RowSource {
  readonly #row: Float64Array;
  readonly #funding: FundingAtPoints;
  #points = NO_POINTS;
  #market = 0;
  #leastMark = Number.NaN;
  #mostMark = Number.NaN;
  #sizes = new Float64Array(0);

  constructor(row: Float64Array, funding: FundingAtPoints) {
    this.#row = row;
    this.#funding = funding;
  }

  read(points: PassedPoints, market: number, leastMark: number, mostMark: number): void {
    this.#points = points;
    this.#market = market;
    this.#leastMark = leastMark;
    this.#mostMark = mostMark;
  }

  getMost(key: number): number {
    return key === 0 ? this.#points.markets[this.#market]!.size : this.#mostMark;
  }

  getLeast(key: number): number {
    return key === 0 ? this.#points.markets[this.#market]!.size : this.#leastMark;
  }

  readColumn(key: number): Float64Array {
    const { size, marks } = this.#points.markets[this.#market]!;
    if (key === 1) return marks;
    if (this.#sizes.length < this.#points.count) this.#sizes = new Float64Array(2 * this.#points.count);
    return this.#sizes.fill(size, 0, this.#points.count);
  }

  fill(at: number): Float64Array {
    const { times, equity, maintenance, markets } = this.#points;
    const { size, marks, lasts } = markets[this.#market]!;
    const row = this.#row;
    row[0] = times[at]!;
    row[1] = size;
    row[2] = marks[at]!;
    row[3] = lasts[at]!;
    row[4] = this.#funding.ofMarket(this.#market, at);
    row[5] = equity[at]!;
    row[6] = maintenance[at]!;
    return row;
  }
}
