import type { Amount, PriceE8, SizeE8 } from "../../../ground/math/fixed.ts";
import type {
  AccountColumn,
  MarginedPosition,
  MarketColumn,
  PassedPoints,
  RecordedColumns,
  RecorderOptions,
} from "../input.ts";
import type { BuyAndHold } from "./buyAndHold.ts";
import { DerivedColumns } from "./derivedColumns.ts";
import type { DrawdownTracker } from "./drawdownTracker.ts";
import type { PresentMarkets } from "./presentMarkets.ts";
import { Thinner } from "./thinner.ts";

const ACCOUNT_COLUMNS: readonly AccountColumn[] = [
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
const RATIO = ACCOUNT_COLUMNS.length - 1;
/** Of a kept point; equity and maintenance of the account follow, for the liquidation price. */
const POINT_COLUMNS = ["timeMs", "size", "mark", "last", "funding"] as const;

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

/** The thinned curves of a run: one of the account, and one of each market. */
export class Curves {
  readonly #markets: PresentMarkets;
  readonly #benchmark: BuyAndHold;
  readonly #sums: RunningSums;
  readonly #account: Thinner;
  readonly #ofMarkets: Thinner[];
  readonly #accountRow = new Float64Array(ACCOUNT_COLUMNS.length + 1);
  readonly #marketRow = new Float64Array(POINT_COLUMNS.length + 2);
  /** Of the points that `pushAccountColumns` was given last. */
  #derived = new DerivedColumns(0);

  /** @param rowsMax most points of a curve */
  constructor(markets: PresentMarkets, benchmark: BuyAndHold, sums: RunningSums, rowsMax: number) {
    this.#markets = markets;
    this.#benchmark = benchmark;
    this.#sums = sums;
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

  /** A point of the account, and of every market that has a price. */
  push(
    timeMs: number,
    equity: number,
    balance: number,
    maintenance: number,
    ratio: number,
    peak: number,
    drawdown: number,
  ): void {
    this.#account.push(this.#fillAccount(timeMs, equity, balance, maintenance, ratio, peak, drawdown));
    for (let market = 0; market < this.#markets.count; market++) {
      if (!this.#markets.isPriced(market)) continue;
      this.#ofMarkets[market]!.push(this.#fillMarket(timeMs, market, equity, maintenance));
    }
  }

  /** Several points of the account, with equity between `leastEquity` and `mostEquity`, both above zero. */
  pushAccountColumns(points: PassedPoints, drawdown: DrawdownTracker, leastEquity: number, mostEquity: number): void {
    const { count, times, equity, maintenance, balance, markets } = points;
    if (this.#derived.capacity < count) this.#derived = new DerivedColumns(2 * count);
    const { ratios, peaks, drawdowns } = this.#derived;
    this.#derived.read(points, drawdown, leastEquity, mostEquity);
    this.#account.pushRows(count, [equity, ratios, drawdowns], (at) => {
      this.#benchmark.recordMarks(markets, at);
      const own = maintenance[at]!;
      return this.#fillAccount(times[at]!, equity[at]!, balance, own, ratios[at]!, peaks[at]!, drawdowns[at]!);
    });
  }

  /** The same points of a market; call it after `pushAccountColumns`. Leaves the market's prices at one of them. */
  pushMarketColumns({ count, times, equity, maintenance, markets }: PassedPoints, market: number): void {
    const { size, marks, lasts } = markets[market]!;
    const present = this.#markets;
    const sizes = this.#derived.sizes.fill(size, 0, count);
    this.#ofMarkets[market]!.pushRows(count, [sizes, marks], (at) => {
      present.mark[market] = marks[at]!;
      present.last[market] = lasts[at]!;
      return this.#fillMarket(times[at]!, market, equity[at]!, maintenance[at]!);
    });
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
  #fillAccount(
    timeMs: number,
    equity: number,
    balance: number,
    maintenance: number,
    ratio: number,
    peak: number,
    drawdown: number,
  ): Float64Array {
    const row = this.#accountRow;
    row[0] = timeMs;
    row[1] = equity;
    row[2] = balance;
    row[3] = maintenance;
    row[4] = this.#sums.funding;
    row[5] = this.#sums.fees;
    row[6] = peak;
    row[7] = this.#benchmark.equity;
    row[RATIO] = ratio;
    row[RATIO + 1] = drawdown;
    return row;
  }

  /**
   * The row of a market at its present values; the margin account is the account's own unless another backs the
   * position.
   */
  #fillMarket(timeMs: number, market: number, equity: number, maintenance: number): Float64Array {
    const markets = this.#markets;
    const marginEquity = markets.marginEquity[market]!;
    const isOwn = Number.isNaN(marginEquity);
    const row = this.#marketRow;
    row[0] = timeMs;
    row[1] = markets.size[market]!;
    row[2] = markets.mark[market]!;
    row[3] = markets.last[market]!;
    row[4] = markets.funding[market]!;
    row[5] = isOwn ? equity : marginEquity;
    row[6] = isOwn ? maintenance : markets.marginMaintenance[market]!;
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
