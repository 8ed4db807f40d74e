import { NONE } from "../../../ground/collections/table.ts";
import type { Amount, Ppb, PriceE8, SizeE8 } from "../../../ground/math/fixed.ts";
import { MARGIN_MODE } from "../../../protocol/words.ts";
import { DEPTH, measure, measureIsolated } from "../../../venue/engine/margin/health.ts";
import type { AccountRow, MarketRow, PositionRow } from "../../../venue/engine/state/schema.ts";
import { getPosition, type State } from "../../../venue/engine/state/state.ts";
import { computeMarkedValue } from "../../../venue/engine/valuation/notional.ts";
import type { Recorder } from "../../report/input.ts";
import type { AccruedFunding } from "./accruedFunding.ts";
import type { MarkedAccount } from "./markedAccount.ts";
import { isNearer } from "./nearness.ts";
import { PointColumns } from "./pointColumns.ts";
import type { VenueReads } from "./venueReads.ts";

/** A market at an instant, 1e-8 USD; 0 before the first price. */
export interface PassedMarket {
  readonly markNow: number;
  readonly lastNow: number;
}

/** Parts of the points of an account. */
export interface AccountPointsParts {
  readonly recorder: Recorder;
  /** Last prices, where the venue does not have them yet. */
  readonly reads: Pick<VenueReads, "readLast">;
  readonly account: AccountRow;
  readonly markets: number;
  readonly funding: AccruedFunding;
}

/**
 * The points of an account for a report: its equity, its margins and its positions at instants. Points that follow one
 * another and leave its positions alone are kept in columns, with the payments between them, and recorded at once. A
 * point of any other block is recorded by itself, after those.
 */
export class AccountPoints {
  readonly #recorder: Recorder;
  readonly #reads: Pick<VenueReads, "readLast">;
  readonly #account: AccountRow;
  readonly #markets: number;
  readonly #funding: AccruedFunding;
  /**
   * Instants that are not recorded yet: without a block, or with one that paid funding to the account or changed its
   * orders at most.
   */
  readonly #points: PointColumns;
  // Written before they are read. They start as `NaN`, which is stored as a double, so that their shape never changes.
  readonly #marketPoint = {
    size: Number.NaN as SizeE8,
    mark: Number.NaN as PriceE8,
    last: Number.NaN as PriceE8,
    unrealizedPnl: Number.NaN as Amount,
    marginEquity: Number.NaN as Amount,
    marginMaintenance: Number.NaN as Amount,
  };
  readonly #blockPoint = {
    timeMs: Number.NaN,
    equity: Number.NaN as Amount,
    balance: Number.NaN as Amount,
    maintenance: Number.NaN as Amount,
    riskEquity: Number.NaN as Amount,
    riskMaintenance: Number.NaN as Amount,
    fundingAccrued: 0 as Amount,
  };

  constructor({ recorder, reads, account, markets, funding }: AccountPointsParts) {
    this.#recorder = recorder;
    this.#reads = reads;
    this.#account = account;
    this.#markets = markets;
    this.#funding = funding;
    this.#points = new PointColumns(markets);
  }

  /** Columns with room for further points, to which the caller appends instants that need no block. */
  open(state: State, most: number): PointColumns {
    const points = this.#points;
    if (points.room < most || points.payments.room < this.#markets) this.flush();
    if (points.count > 0) return points;
    // Until the columns are recorded, nothing but prices and funding owed changes.
    for (let market = 0 as MarketRow; market < this.#markets; market++) {
      const position = getPosition(state, this.#account, market);
      const lots = position === NONE ? 0 : state.positions.signedLots[position]!;
      points.markets[market]!.size = (lots * state.parameters[market]!.lotSize) as SizeE8;
    }
    points.nextBalance = this.#funding.computeBalance(state);
    return points;
  }

  /**
   * Adds the point of a block that left the positions of the account.
   *
   * @param points with room, opened before the payments of the block: later, full columns would be recorded without it
   */
  add(state: State, points: PointColumns): void {
    const { equity, maintenance } = measure(state, this.#account, DEPTH.risk);
    points.nextBalance = this.#funding.computeBalance(state);
    const at = points.count++;
    points.times[at] = state.timeMs;
    points.equity[at] = equity;
    points.maintenance[at] = maintenance;
    points.balance[at] = points.nextBalance;
    for (let market = 0 as MarketRow; market < this.#markets; market++) {
      const { marks, lasts, unrealizedPnl } = points.markets[market]!;
      marks[at] = state.markets.mark[market]!;
      lasts[at] = this.#reads.readLast(market) * state.parameters[market]!.tickSize;
      unrealizedPnl[at] = this.#computeProfit(state, market);
    }
  }

  /** Adds a payment of funding to the point that comes next. @param amount into the account when positive */
  addPayment(state: State, market: number, rate: Ppb, amount: number): void {
    const { count, payments } = this.#points;
    payments.add(count, market, rate, amount, state.markets.index[market as MarketRow]!);
  }

  /**
   * Adds an instant that needs no block, with the state that a block would have left: the account at its marks, and the
   * last prices. Its positions are of the cross margin account.
   */
  pass(state: State, timeMs: number, account: MarkedAccount, flows: readonly PassedMarket[]): void {
    const points = this.open(state, 1);
    const at = points.count++;
    points.times[at] = timeMs;
    points.equity[at] = account.equity;
    points.maintenance[at] = account.maintenance;
    points.balance[at] = points.nextBalance;
    for (let market = 0; market < flows.length; market++) {
      const { markNow, lastNow } = flows[market]!;
      const { marks, lasts, unrealizedPnl } = points.markets[market]!;
      marks[at] = markNow;
      lasts[at] = lastNow;
      unrealizedPnl[at] = account.getUnrealizedPnl(market);
    }
  }

  /** Records the points in columns. */
  flush(): void {
    if (this.#points.count === 0) return;
    this.#recorder.recordPoints(this.#points);
    this.#points.clear();
  }

  /** Records the point of a block by itself. The caller has recorded what came before it. */
  record(state: State): void {
    const { markets, positions, accounts } = state;
    const { equity, maintenance } = measure(state, this.#account, DEPTH.risk);
    const point = this.#marketPoint;
    const block = this.#blockPoint;
    block.timeMs = state.timeMs;
    block.equity = equity as Amount;
    block.balance = accounts.collateral[this.#account]!;
    block.maintenance = maintenance as Amount;
    block.riskEquity = equity as Amount;
    block.riskMaintenance = maintenance as Amount;
    for (let market = 0 as MarketRow; market < this.#markets; market++) {
      const rules = state.parameters[market]!;
      const position = getPosition(state, this.#account, market);
      const signedLots = position === NONE ? 0 : positions.signedLots[position]!;
      point.size = (signedLots * rules.lotSize) as SizeE8;
      point.mark = markets.mark[market]!;
      point.last = (this.#reads.readLast(market) * rules.tickSize) as PriceE8;
      point.unrealizedPnl = this.#computeProfit(state, market) as Amount;
      point.marginEquity = equity as Amount;
      point.marginMaintenance = maintenance as Amount;
      block.balance = (block.balance - this.#funding.getOwed(market)) as Amount;
      if (position !== NONE && positions.mode[position] !== MARGIN_MODE.cross) this.#addIsolated(state, position);
      this.#recorder.recordMarket(market, point);
    }
    this.#recorder.recordBlock(block);
  }

  /**
   * Adds the margin account of an isolated position; the one that is nearest to its liquidation is the account's risk.
   */
  #addIsolated(state: State, position: PositionRow): void {
    const { equity, maintenance } = measureIsolated(state, position);
    const [point, block] = [this.#marketPoint, this.#blockPoint];
    point.marginEquity = equity as Amount;
    point.marginMaintenance = maintenance as Amount;
    block.equity = (block.equity + equity) as Amount;
    block.balance = (block.balance + state.positions.isolated[position]!) as Amount;
    block.maintenance = (block.maintenance + maintenance) as Amount;
    if (!isNearer(equity, maintenance, block.riskEquity, block.riskMaintenance)) return;
    block.riskEquity = equity as Amount;
    block.riskMaintenance = maintenance as Amount;
  }

  /** Unrealised profit of the position in a market at the venue's mark, without funding. */
  #computeProfit(state: State, market: MarketRow): number {
    const { positions, markets, parameters } = state;
    const position = getPosition(state, this.#account, market);
    if (position === NONE || positions.signedLots[position] === 0) return 0;
    const value = computeMarkedValue(parameters[market]!, positions.signedLots[position]!, markets.mark[market]!);
    return value - positions.cost[position]!;
  }
}
