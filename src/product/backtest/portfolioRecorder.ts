import type { Amount } from "../../ground/math/fixed.ts";
import type {
  AdjustmentInput,
  BlockPoint,
  FillInput,
  FundingInput,
  InsuranceInput,
  LiquidationInput,
  MarketPoint,
  OrderOutcome,
  PassedPoints,
  Recorder,
} from "../report/input.ts";
import { recordEachPoint } from "../report/recording/eachPoint.ts";
import { isNearer } from "./account/nearness.ts";

type Open<T> = { -readonly [K in keyof T]: T[K] };

/**
 * Records the accounts of a run as one: the sum of their equity at every instant, and every event of theirs. A market
 * of each account is a market of its own. So figures by market (round trips, realised profit) are those of the account.
 * The margin account that is nearest to its liquidation is the risk of all.
 */
export class PortfolioRecorder {
  readonly #sum: Recorder;
  readonly #accounts: number;
  readonly #markets: number;
  /** Accounts whose point of this instant is in the sum. */
  #joined = 0;
  readonly #point: Open<Required<BlockPoint>> = {
    timeMs: 0,
    equity: 0 as Amount,
    balance: 0 as Amount,
    maintenance: 0 as Amount,
    riskEquity: 0 as Amount,
    riskMaintenance: 0 as Amount,
    fundingAccrued: 0 as Amount,
  };

  /** @param sum with the markets of the first account, then those of the second, and so on */
  constructor(sum: Recorder, accounts: number, markets: number) {
    this.#sum = sum;
    this.#accounts = accounts;
    this.#markets = markets;
  }

  /**
   * A recorder that hands on to that of one account, and to the sum.
   *
   * @param place of the account
   */
  join(own: Recorder, place: number): Recorder {
    return new JoinedRecorder(own, this.#sum, place * this.#markets, (point) => this.#add(point));
  }

  /** Every account closes every block: with the last of them the block of the sum is known. */
  #add(one: BlockPoint): void {
    const sum = this.#point;
    const { riskEquity = one.equity, riskMaintenance = one.maintenance } = one;
    const isFirst = this.#joined === 0;
    sum.timeMs = one.timeMs;
    sum.equity = ((isFirst ? 0 : sum.equity) + one.equity) as Amount;
    sum.balance = ((isFirst ? 0 : sum.balance) + one.balance) as Amount;
    sum.maintenance = ((isFirst ? 0 : sum.maintenance) + one.maintenance) as Amount;
    sum.fundingAccrued = ((isFirst ? 0 : sum.fundingAccrued) + one.fundingAccrued) as Amount;
    if (isFirst || isNearer(riskEquity, riskMaintenance, sum.riskEquity, sum.riskMaintenance)) {
      sum.riskEquity = riskEquity;
      sum.riskMaintenance = riskMaintenance;
    }
    this.#joined++;
    if (this.#joined < this.#accounts) return;
    this.#joined = 0;
    this.#sum.recordBlock(sum);
  }
}

class JoinedRecorder implements Recorder {
  readonly #own: Recorder;
  readonly #sum: Recorder;
  /** Place of the account's first market in the sum. */
  readonly #first: number;
  readonly #add: (point: BlockPoint) => void;

  constructor(own: Recorder, sum: Recorder, first: number, add: (point: BlockPoint) => void) {
    this.#own = own;
    this.#sum = sum;
    this.#first = first;
    this.#add = add;
  }

  recordMarket(market: number, point: MarketPoint): void {
    this.#own.recordMarket(market, point);
    this.#sum.recordMarket(this.#first + market, point);
  }

  recordBlock(point: BlockPoint): void {
    this.#own.recordBlock(point);
    this.#add(point);
  }

  recordPoints(points: PassedPoints): void {
    recordEachPoint(this, points, points.count);
  }

  recordFill(fill: FillInput): void {
    this.#own.recordFill(fill);
    this.#sum.recordFill({ ...fill, market: this.#first + fill.market });
  }

  recordFunding(payment: FundingInput): void {
    this.#own.recordFunding(payment);
    this.#sum.recordFunding({ ...payment, market: this.#first + payment.market });
  }

  recordAdjustment(adjustment: AdjustmentInput): void {
    this.#own.recordAdjustment(adjustment);
    this.#sum.recordAdjustment(adjustment);
  }

  recordLiquidation(liquidation: LiquidationInput): void {
    this.#own.recordLiquidation(liquidation);
    this.#sum.recordLiquidation({ ...liquidation, market: this.#first + liquidation.market });
  }

  recordInsurance(movement: InsuranceInput): void {
    this.#own.recordInsurance(movement);
    this.#sum.recordInsurance(movement);
  }

  recordOrder(outcome: OrderOutcome, count?: number): void {
    this.#own.recordOrder(outcome, count);
    this.#sum.recordOrder(outcome, count);
  }

  recordRejection(code: string, timeMs: number, isOrder: boolean): void {
    this.#own.recordRejection(code, timeMs, isOrder);
    this.#sum.recordRejection(code, timeMs, isOrder);
  }

  finish(): ReturnType<Recorder["finish"]> {
    return this.#own.finish();
  }
}
