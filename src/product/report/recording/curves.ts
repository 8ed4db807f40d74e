import type { Amount, PriceE8, SizeE8 } from "../../../ground/math/fixed.ts";
import type {
  AccountColumn,
  BlockPoint,
  MarginedPosition,
  MarketColumn,
  PassedPoints,
  RecordedColumns,
  RecorderOptions,
} from "../input.ts";
import type { BuyAndHold } from "./buyAndHold.ts";
import {
  ACCOUNT_COLUMNS,
  type AccountBounds,
  AccountRows,
  MarketRows,
  POINT_COLUMNS,
  RATIO,
  type RunningSums,
} from "./curveRows.ts";
import type { DrawdownTracker } from "./drawdownTracker.ts";
import type { FundingAtPoints } from "./fundingAtPoints.ts";
import type { PresentMarkets } from "./presentMarkets.ts";
import { Thinner } from "./thinner.ts";

/** The thinned curves of a run: one of the account, and one of each market. */
export class Curves {
  readonly #markets: PresentMarkets;
  readonly #benchmark: BuyAndHold;
  readonly #sums: RunningSums;
  readonly #account: Thinner;
  readonly #ofMarkets: Thinner[];
  readonly #accountRow = new Float64Array(ACCOUNT_COLUMNS.length + 1);
  readonly #marketRow = new Float64Array(POINT_COLUMNS.length + 2);
  readonly #accountRows: AccountRows;
  readonly #marketRows: MarketRows;

  /**
   * @param funding at the points of the columns that are pushed next
   * @param rowsMax most points of a curve
   */
  constructor(
    markets: PresentMarkets,
    benchmark: BuyAndHold,
    sums: RunningSums,
    funding: FundingAtPoints,
    rowsMax: number,
  ) {
    this.#markets = markets;
    this.#benchmark = benchmark;
    this.#sums = sums;
    this.#accountRows = new AccountRows(this.#accountRow, benchmark, sums, funding);
    this.#marketRows = new MarketRows(this.#marketRow, funding);
    // The drawdown is a hidden column after the named ones, for its extremes.
    this.#account = new Thinner(
      ACCOUNT_COLUMNS.length + 1,
      [
        { column: 1, keep: "both" },
        { column: RATIO, keep: "greatest" },
        { column: RATIO + 1, keep: "greatest" },
      ],
      rowsMax,
    );
    this.#ofMarkets = Array.from(
      { length: markets.count },
      () =>
        new Thinner(
          POINT_COLUMNS.length + 2,
          [
            { column: 1, keep: "both" },
            { column: 2, keep: "both" },
          ],
          rowsMax,
        ),
    );
  }

  /** A point of the account, which the drawdown has, and of every market that has a price. */
  push(point: BlockPoint, drawdown: DrawdownTracker): void {
    this.#account.push(this.#fillAccount(point, drawdown));
    for (let market = 0; market < this.#markets.count; market++) {
      if (this.#markets.isPriced(market)) this.#ofMarkets[market]!.push(this.#fillMarket(point, market));
    }
  }

  /** Several points of the account, with positive equity. */
  pushAccountColumns(points: PassedPoints, bounds: AccountBounds, drawdown: DrawdownTracker): void {
    this.#accountRows.read(points, bounds, drawdown);
    this.#account.pushRows(points.count, this.#accountRows);
  }

  /**
   * The same points of a market, whose margin account is the account's own. Marks are between the least and the most.
   */
  pushMarketColumns(points: PassedPoints, market: number, leastMark: number, mostMark: number): void {
    this.#marketRows.read(points, market, leastMark, mostMark);
    this.#ofMarkets[market]!.pushRows(points.count, this.#marketRows);
  }

  /** The kept points of the account. */
  readAccount(): RecordedColumns<AccountColumn> {
    return nameColumns(ACCOUNT_COLUMNS, this.#account.columns());
  }

  /** The kept points of every market, with the liquidation price of its position. */
  readMarkets(find: RecorderOptions["liquidationPrice"]): RecordedColumns<MarketColumn>[] {
    return this.#ofMarkets.map((curve, market) => nameMarket(market, curve.columns(), find));
  }

  /** The row of the account; the benchmark is as of the last marks. */
  #fillAccount(point: BlockPoint, { peak }: DrawdownTracker): Float64Array {
    const { equity, maintenance } = point;
    const { riskEquity = equity, riskMaintenance = maintenance } = point;
    const row = this.#accountRow;
    row[0] = point.timeMs;
    row[1] = equity;
    row[2] = point.balance;
    row[3] = maintenance;
    row[4] = this.#sums.funding;
    row[5] = this.#sums.fees;
    row[6] = peak;
    row[7] = this.#benchmark.equity;
    row[RATIO] = riskMaintenance === 0 ? 0 : riskEquity <= 0 ? Number.POSITIVE_INFINITY : riskMaintenance / riskEquity;
    row[RATIO + 1] = (peak - equity) / peak;
    return row;
  }

  /**
   * The row of a market at its present values; the margin account is the account's own unless another backs the
   * position.
   */
  #fillMarket(point: BlockPoint, market: number): Float64Array {
    const markets = this.#markets;
    const marginEquity = markets.marginEquity[market]!;
    const isOwn = Number.isNaN(marginEquity);
    const row = this.#marketRow;
    row[0] = point.timeMs;
    row[1] = markets.size[market]!;
    row[2] = markets.mark[market]!;
    row[3] = markets.last[market]!;
    row[4] = markets.funding[market]!;
    row[5] = isOwn ? point.equity : marginEquity;
    row[6] = isOwn ? point.maintenance : markets.marginMaintenance[market]!;
    return row;
  }
}

/** Liquidation prices are computed for the points that are kept; a position that nothing changed keeps its price. */
function nameMarket(
  market: number,
  columns: Float64Array[],
  find: RecorderOptions["liquidationPrice"],
): RecordedColumns<MarketColumn> {
  const [, size, mark] = columns as [Float64Array, Float64Array, Float64Array];
  const [equity, maintenance] = columns.splice(POINT_COLUMNS.length) as [Float64Array, Float64Array];
  const liquidation = size.map((signedE8, row) => {
    if (signedE8 === 0 || mark[row] === 0 || find === undefined) return 0;
    const position: MarginedPosition = {
      market,
      size: signedE8 as SizeE8,
      mark: mark[row] as PriceE8,
      equity: equity[row] as Amount,
      maintenance: maintenance[row] as Amount,
    };
    return find(position) ?? 0;
  });
  return { ...nameColumns(POINT_COLUMNS, columns), liquidation };
}

function nameColumns<Name extends string>(names: readonly Name[], columns: Float64Array[]): RecordedColumns<Name> {
  return Object.fromEntries(names.map((name, i) => [name, columns[i]!])) as RecordedColumns<Name>;
}
