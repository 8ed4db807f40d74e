import type { PassedPayments, PassedPoints } from "../input.ts";

const NONE = new Float64Array(0);
export const NO_PAYMENTS: PassedPayments = {
  count: 0,
  points: NONE,
  markets: NONE,
  rates: NONE,
  amounts: NONE,
  indexes: NONE,
};

/**
 * Funding received less paid since the start of a run, at each of several points: of the account and of each market.
 * Few points are asked for, so that the sums are kept by payment.
 */
export class FundingAtPoints {
  #payments = NO_PAYMENTS;
  /** Before the first payment, and by market. It starts as `NaN`, which is stored as a double. */
  #before = Number.NaN;
  readonly #marketsBefore: Float64Array;
  /** After each payment: of the account, and of the market of the payment. */
  #after = NONE;
  #marketAfter = NONE;

  constructor(markets: number) {
    this.#marketsBefore = new Float64Array(markets);
  }

  /**
   * Takes in points.
   *
   * @param sum       of the account before them
   * @param byMarket  the same by market
   */
  read({ payments }: PassedPoints, sum: number, byMarket: Float64Array): void {
    this.#payments = payments;
    this.#before = sum;
    this.#marketsBefore.set(byMarket);
    const { count, markets, amounts } = payments;
    if (this.#after.length < count) {
      this.#after = new Float64Array(2 * count);
      this.#marketAfter = new Float64Array(2 * count);
    }
    for (let at = 0; at < count; at++) {
      const market = markets[at]!;
      this.#after[at] = (at === 0 ? sum : this.#after[at - 1]!) + amounts[at]!;
      this.#marketAfter[at] = this.#lastOf(market, at) + amounts[at]!;
    }
  }

  at(point: number): number {
    const paid = this.#countUntil(point);
    return paid === 0 ? this.#before : this.#after[paid - 1]!;
  }

  ofMarket(market: number, point: number): number {
    return this.#lastOf(market, this.#countUntil(point));
  }

  /** Payments that a point has. */
  #countUntil(point: number): number {
    const { count, points } = this.#payments;
    let paid = 0;
    while (paid < count && points[paid]! <= point) paid++;
    return paid;
  }

  /** Sum of a market after the first payments. */
  #lastOf(market: number, paid: number): number {
    const { markets } = this.#payments;
    let at = paid - 1;
    while (at >= 0 && markets[at] !== market) at--;
    return at < 0 ? this.#marketsBefore[market]! : this.#marketAfter[at]!;
  }
}
