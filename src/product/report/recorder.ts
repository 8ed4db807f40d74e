import { type Amount, isStorable, LIMIT, type PriceE8, type SizeE8 } from "../../ground/math/fixed.ts";
import { ReportError } from "./errors.ts";
import type {
  AccountColumn,
  AccountPoint,
  AdjustmentInput,
  BlockPoint,
  DailySample,
  FillInput,
  FundingInput,
  InsuranceInput,
  LiquidationInput,
  MarginedPosition,
  MarketColumn,
  MarketPoint,
  OrderOutcome,
  PassedPoints,
  RecordedColumns,
  Recorder,
  RecorderOptions,
  Recording,
  RecordListener,
  RejectionTotals,
  RoundTrip,
} from "./input.ts";
import { BuyAndHold } from "./recording/buyAndHold.ts";
import { DailySampler } from "./recording/dailySampler.ts";
import { DrawdownTracker } from "./recording/drawdownTracker.ts";
import { EventSample } from "./recording/eventSample.ts";
import { EventTotals } from "./recording/eventTotals.ts";
import { MarginTracker } from "./recording/marginTracker.ts";
import { RoundTripTracker } from "./recording/roundTripTracker.ts";
import { Thinner } from "./recording/thinner.ts";

const POINTS_MAX = 4_000;
const EVENTS_MAX = 5_000;

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

/** Begins to record a run. `ReportInput` documents the calls and their times. */
export function createRecorder(options: RecorderOptions): Recorder {
  return new RunRecorder(options);
}

class RunRecorder implements Recorder {
  readonly #symbols: readonly string[];
  readonly #initialEquity: number;
  readonly #startTimeMs: number;
  #timeMs: number;
  #blocks = 0;
  readonly #last = { equity: 0, balance: 0, fundingAccrued: 0 };
  #lowestEquity: number;
  #funding = 0;
  #fees = 0;
  #held = false;
  #heldMs = 0;

  readonly #points: {
    size: number;
    mark: number;
    last: number;
    unrealizedPnl: number;
    funding: number;
    marginEquity: number | undefined;
    marginMaintenance: number | undefined;
  }[];
  readonly #accountRow = new Float64Array(ACCOUNT_COLUMNS.length + 1);
  /** Least and greatest values of points, by column of the rows. */
  readonly #least = new Float64Array(ACCOUNT_COLUMNS.length + 1);
  readonly #most = new Float64Array(ACCOUNT_COLUMNS.length + 1);
  readonly #marketRow = new Float64Array(POINT_COLUMNS.length + 2);
  readonly #liquidationPrice: RecorderOptions["liquidationPrice"];
  readonly #accountCurve: Thinner;
  readonly #marketCurves: Thinner[];

  readonly #drawdown: DrawdownTracker;
  #benchmarkDrawdown: DrawdownTracker | null = null;
  readonly #benchmark: BuyAndHold;
  readonly #daily: DailySampler;
  readonly #sample: { -readonly [K in keyof DailySample]: DailySample[K] };
  readonly #margin: MarginTracker;
  readonly #trips: RoundTripTracker;
  readonly #totals: EventTotals;

  readonly #listener: RecordListener;
  readonly #point: AccountPoint = {
    timeMs: 0,
    equity: 0,
    balance: 0,
    unrealizedPnl: 0,
    maintenance: 0,
    funding: 0,
    fees: 0,
    buyAndHold: null,
  };

  readonly #fills: EventSample<FillInput>;
  readonly #payments: EventSample<FundingInput>;
  readonly #closedTrips: EventSample<RoundTrip>;
  readonly #adjustments: EventSample<AdjustmentInput>;
  readonly #insurance: EventSample<InsuranceInput>;
  readonly #liquidations: LiquidationInput[] = [];
  readonly #eventsMax: number;
  readonly #rejections = new Map<string, { -readonly [K in keyof RejectionTotals]: RejectionTotals[K] }>();
  readonly #orders: Record<OrderOutcome, number> = { placed: 0, amended: 0, cancelled: 0, expired: 0, refused: 0 };

  constructor({
    markets,
    startTimeMs,
    initialEquity,
    pointsMax,
    eventsMax,
    liquidationPrice,
    listener = {},
  }: RecorderOptions) {
    if (markets.length === 0) throw new ReportError("REPORT_INPUT", "markets", "name at least one market");
    requireStorable("startTimeMs", startTimeMs);
    requireStorable("initialEquity", initialEquity);
    if (initialEquity <= 0) {
      throw new ReportError("REPORT_INPUT", "initialEquity", "must be positive: every return is relative to it");
    }
    const points = Math.max(64, pointsMax ?? POINTS_MAX);
    const events = eventsMax ?? EVENTS_MAX;
    this.#symbols = markets.map((market) => market.symbol);
    this.#initialEquity = initialEquity;
    this.#lowestEquity = initialEquity;
    this.#startTimeMs = startTimeMs;
    this.#liquidationPrice = liquidationPrice;
    this.#timeMs = startTimeMs;
    this.#points = markets.map(() => ({
      size: 0,
      mark: 0,
      last: 0,
      unrealizedPnl: 0,
      funding: 0,
      marginEquity: undefined,
      marginMaintenance: undefined,
    }));
    // The drawdown is a hidden column after the named ones, for its extremes.
    this.#accountCurve = new Thinner(
      ACCOUNT_COLUMNS.length + 1,
      [
        { column: 1, keep: "both" },
        { column: RATIO, keep: "greatest" },
        { column: RATIO + 1, keep: "greatest" },
      ],
      points,
    );
    this.#marketCurves = markets.map(
      () =>
        new Thinner(
          POINT_COLUMNS.length + 2,
          [
            { column: 1, keep: "both" },
            { column: 2, keep: "both" },
          ],
          points,
        ),
    );
    this.#drawdown = new DrawdownTracker(startTimeMs, initialEquity);
    this.#benchmark = new BuyAndHold(initialEquity, markets.length);
    this.#sample = { timeMs: startTimeMs, equity: initialEquity, buyAndHold: null, funding: 0, fees: 0 };
    this.#daily = new DailySampler(this.#sample);
    this.#margin = new MarginTracker(startTimeMs);
    this.#closedTrips = new EventSample(events);
    this.#listener = listener;
    this.#trips = new RoundTripTracker(markets.length, (trip) => {
      this.#closedTrips.push(trip);
      listener.onRoundTrip?.(trip);
    });
    this.#totals = new EventTotals(markets.length);
    this.#eventsMax = events;
    this.#fills = new EventSample(events);
    this.#payments = new EventSample(events);
    this.#adjustments = new EventSample(events);
    this.#insurance = new EventSample(events);
  }

  recordMarket(
    market: number,
    { size, mark, last, unrealizedPnl, marginEquity, marginMaintenance }: MarketPoint,
  ): void {
    const point = this.#points[this.#requireMarket("market", market)]!;
    requireStorable("market.size", size);
    requireStorable("market.mark", mark);
    requireStorable("market.last", last);
    requireStorable("market.unrealizedPnl", unrealizedPnl);
    if (size !== this.#trips.getSignedE8(market)) {
      throw new ReportError(
        "REPORT_INPUT",
        `market ${this.#symbols[market]}`,
        `size ${size} is not the sum of its fills, ${this.#trips.getSignedE8(market)}; record every fill before the market`,
      );
    }
    point.size = size;
    point.mark = mark;
    point.last = last;
    point.unrealizedPnl = unrealizedPnl;
    point.marginEquity = marginEquity;
    point.marginMaintenance = marginMaintenance;
    if (size !== 0) this.#trips.recordPoint(market, unrealizedPnl);
    this.#benchmark.recordMark(market, mark);
  }

  recordPoints(points: PassedPoints): void {
    if (this.#skipPoints(points)) return;
    const { count, times, marks, lasts, equity, maintenance, unrealizedPnl, size, balance } = points;
    for (let at = 0; at < count; at++) {
      const point = { size, mark: marks[at], last: lasts[at], unrealizedPnl: unrealizedPnl[at] } as MarketPoint;
      this.recordMarket(0, point);
      const own = { timeMs: times[at], equity: equity[at], balance, maintenance: maintenance[at], fundingAccrued: 0 };
      this.recordBlock(own as BlockPoint);
    }
  }

  /** Records points none of which is a peak, a trough or an extreme of anything but of the curves; false if one may be. */
  #skipPoints(points: PassedPoints): boolean {
    const { count, times, marks, equity, maintenance, unrealizedPnl, size } = points;
    const benchmark = this.#benchmark;
    const benchmarkDrawdown = this.#benchmarkDrawdown;
    const from = times[0]!;
    const to = times[count - 1]!;
    if (this.#listener.onPoint !== undefined || this.#points.length !== 1 || benchmarkDrawdown === null) return false;
    if (size !== this.#points[0]!.size || !(from >= this.#timeMs) || !this.#daily.isWithin(from, to)) return false;
    const leastMark = leastOf(marks, count);
    const mostMark = mostOf(marks, count);
    const leastEquity = leastOf(equity, count);
    const mostEquity = mostOf(equity, count);
    const mostMaintenance = mostOf(maintenance, count);
    if (!(leastMark > 0 && leastEquity > 0 && mostEquity <= LIMIT && mostMaintenance <= LIMIT)) return false;
    if (!this.#drawdown.isWithin(leastEquity, mostEquity)) return false;
    if (!this.#margin.isWithin(leastEquity, mostMaintenance)) return false;
    if (!benchmarkDrawdown.isWithin(benchmark.equityAt(0, leastMark), benchmark.equityAt(0, mostMark))) return false;

    if (this.#held) this.#heldMs += to - this.#timeMs;
    this.#timeMs = to;
    this.#blocks += count;
    if (leastEquity < this.#lowestEquity) this.#lowestEquity = leastEquity;
    if (size !== 0) {
      this.#trips.recordPoint(0, leastOf(unrealizedPnl, count));
      this.#trips.recordPoint(0, mostOf(unrealizedPnl, count));
      this.#trips.recordPoint(0, unrealizedPnl[count - 1]!);
    }
    benchmarkDrawdown.skipTo(to);
    this.#drawdown.skipTo(to);
    this.#margin.skipTo(from, to);
    this.#pushPoints(points, leastEquity, mostEquity, mostMaintenance / leastEquity, leastMark, mostMark);
    return true;
  }

  /** Takes the rows of points into the curves: only the last, where it alone may be kept. */
  #pushPoints(
    points: PassedPoints,
    leastEquity: number,
    mostEquity: number,
    mostRatio: number,
    leastMark: number,
    mostMark: number,
  ): void {
    const { count, size } = points;
    const { peak } = this.#drawdown;
    const least = this.#least;
    const most = this.#most;
    least[1] = leastEquity;
    most[1] = mostEquity;
    most[RATIO] = mostRatio;
    most[RATIO + 1] = (peak - leastEquity) / peak;
    const account = this.#accountCurve;
    const skipsAccount = account.isWithin(count, least, most);
    least[1] = size;
    most[1] = size;
    least[2] = leastMark;
    most[2] = mostMark;
    const market = this.#marketCurves[0]!;
    const skipsMarket = market.isWithin(count, least, most);
    if (!skipsAccount || !skipsMarket) {
      for (let at = 0; at < count - 1; at++) {
        this.#movePoint(points, at);
        if (!skipsAccount) account.push(this.#accountRow, true);
        if (!skipsMarket) market.push(this.#marketRow, true);
      }
    }
    this.#movePoint(points, count - 1);
    if (skipsAccount) account.skip(count, this.#accountRow);
    else account.push(this.#accountRow);
    if (skipsMarket) market.skip(count, this.#marketRow);
    else market.push(this.#marketRow);
  }

  /** Moves the present values to one of several points, and fills the rows of the curves. */
  #movePoint({ times, marks, lasts, equity, maintenance, unrealizedPnl, balance }: PassedPoints, at: number): void {
    const [point] = this.#points;
    point!.mark = marks[at]!;
    point!.last = lasts[at]!;
    point!.unrealizedPnl = unrealizedPnl[at]!;
    point!.marginEquity = undefined;
    point!.marginMaintenance = undefined;
    this.#benchmark.recordMark(0, marks[at]!);
    const last = this.#last;
    last.equity = equity[at]!;
    last.balance = balance;
    last.fundingAccrued = 0;
    const sample = this.#sample;
    sample.timeMs = times[at]!;
    sample.equity = equity[at]!;
    sample.buyAndHold = this.#benchmark.equity;
    sample.funding = this.#funding;
    sample.fees = this.#fees;
    this.#daily.record(sample);
    this.#fillAccountRow(balance, maintenance[at]!, equity[at]!, maintenance[at]!);
    this.#fillMarketRow(times[at]!, 0, equity[at]!, maintenance[at]!);
  }

  recordBlock({
    timeMs,
    equity,
    balance,
    maintenance,
    fundingAccrued,
    riskEquity = equity,
    riskMaintenance = maintenance,
  }: BlockPoint): void {
    requireStorable("block.timeMs", timeMs);
    requireStorable("block.equity", equity);
    requireStorable("block.balance", balance);
    requireStorable("block.maintenance", maintenance);
    requireStorable("block.fundingAccrued", fundingAccrued);
    if (timeMs < this.#timeMs) {
      throw new ReportError("REPORT_INPUT", "block.timeMs", `${timeMs} is before the previous block, ${this.#timeMs}`);
    }
    if (this.#held) this.#heldMs += timeMs - this.#timeMs;
    this.#timeMs = timeMs;
    this.#blocks++;
    const last = this.#last;
    last.equity = equity;
    last.balance = balance;
    last.fundingAccrued = fundingAccrued;
    if (equity < this.#lowestEquity) this.#lowestEquity = equity;
    this.#held = false;
    for (const point of this.#points) if (point.size !== 0) this.#held = true;

    const buyAndHold = this.#benchmark.equity;
    if (buyAndHold !== null) {
      this.#benchmarkDrawdown ??= new DrawdownTracker(timeMs, this.#initialEquity);
      this.#benchmarkDrawdown.record(timeMs, buyAndHold);
    }
    this.#drawdown.record(timeMs, equity);
    this.#margin.record(timeMs, riskEquity, riskMaintenance);
    const sample = this.#sample;
    sample.timeMs = timeMs;
    sample.equity = equity;
    sample.buyAndHold = buyAndHold;
    sample.funding = this.#funding;
    sample.fees = this.#fees;
    this.#daily.record(sample);

    this.#fillAccountRow(balance, maintenance, riskEquity, riskMaintenance);
    this.#accountCurve.push(this.#accountRow);
    for (let market = 0; market < this.#points.length; market++) this.#pushMarket(timeMs, market, equity, maintenance);
    if (this.#listener.onPoint !== undefined) this.#passPoint(buyAndHold);
  }

  /** The row of the account at the time of the last sample. */
  #fillAccountRow(balance: number, maintenance: number, riskEquity: number, riskMaintenance: number): void {
    const { peak } = this.#drawdown;
    const { timeMs, equity, buyAndHold } = this.#sample;
    const row = this.#accountRow;
    row[0] = timeMs;
    row[1] = equity;
    row[2] = balance;
    row[3] = maintenance;
    row[4] = this.#funding;
    row[5] = this.#fees;
    row[6] = peak;
    row[7] = buyAndHold ?? Number.NaN;
    row[RATIO] = riskMaintenance === 0 ? 0 : riskEquity <= 0 ? Number.POSITIVE_INFINITY : riskMaintenance / riskEquity;
    row[RATIO + 1] = (peak - equity) / peak;
  }

  #passPoint(buyAndHold: number | null): void {
    const point = this.#point;
    point.timeMs = this.#timeMs;
    point.equity = this.#last.equity;
    point.balance = this.#last.balance;
    point.unrealizedPnl = 0;
    for (const { unrealizedPnl } of this.#points) point.unrealizedPnl += unrealizedPnl;
    point.maintenance = this.#accountRow[3]!;
    point.funding = this.#funding;
    point.fees = this.#fees;
    point.buyAndHold = buyAndHold;
    this.#listener.onPoint?.(point);
  }

  /** A market is on the chart from its first price on. */
  #pushMarket(timeMs: number, market: number, equity: number, maintenance: number): void {
    const { mark, last } = this.#points[market]!;
    if (mark === 0 && last === 0) return;
    this.#fillMarketRow(timeMs, market, equity, maintenance);
    this.#marketCurves[market]!.push(this.#marketRow);
  }

  #fillMarketRow(timeMs: number, market: number, equity: number, maintenance: number): void {
    const { size, mark, last, funding, marginEquity, marginMaintenance } = this.#points[market]!;
    const row = this.#marketRow;
    row[0] = timeMs;
    row[1] = size;
    row[2] = mark;
    row[3] = last;
    row[4] = funding;
    row[5] = marginEquity ?? equity;
    row[6] = marginMaintenance ?? maintenance;
  }

  recordFill(fill: FillInput): void {
    this.#requireMarket("fill.market", fill.market);
    for (const name of ["timeMs", "size", "price", "value", "fee", "realizedPnl", "liquidationFee"] as const) {
      requireStorable(`fill.${name}`, fill[name]);
    }
    if (fill.size <= 0) throw new ReportError("REPORT_INPUT", "fill.size", "must be positive; the side is in `side`");
    this.#fees += fill.fee + fill.liquidationFee;
    this.#trips.recordFill(fill);
    this.#totals.addFill(fill);
    this.#fills.push({ ...fill });
    this.#listener.onFill?.(fill, this.#trips.getSignedE8(fill.market) as SizeE8);
  }

  recordFunding(payment: FundingInput): void {
    this.#requireMarket("funding.market", payment.market);
    for (const name of ["timeMs", "rate", "amount", "size", "mark", "index"] as const) {
      requireStorable(`funding.${name}`, payment[name]);
    }
    this.#funding += payment.amount;
    this.#points[payment.market]!.funding += payment.amount;
    this.#trips.recordFunding(payment);
    this.#totals.addFunding(payment);
    this.#payments.push({ ...payment });
    this.#listener.onFunding?.(payment);
  }

  recordAdjustment(adjustment: AdjustmentInput): void {
    requireStorable("adjustment.amount", adjustment.amount);
    this.#totals.addAdjustment(adjustment);
    this.#adjustments.push({ ...adjustment });
    this.#listener.onAdjustment?.(adjustment);
  }

  recordLiquidation(liquidation: LiquidationInput): void {
    this.#requireMarket("liquidation.market", liquidation.market);
    for (const name of ["timeMs", "size", "mark", "equity", "maintenance", "insuranceDelta", "deficit"] as const) {
      requireStorable(`liquidation.${name}`, liquidation[name]);
    }
    for (const [i, fill] of liquidation.fills.entries()) {
      for (const name of ["timeMs", "size", "price", "value", "fee"] as const) {
        requireStorable(`liquidation.fills[${i}].${name}`, fill[name]);
      }
    }
    this.#margin.observe(liquidation.timeMs, liquidation.equity, liquidation.maintenance);
    this.#totals.addLiquidation(liquidation);
    if (this.#liquidations.length < this.#eventsMax) this.#liquidations.push({ ...liquidation });
  }

  recordInsurance(movement: InsuranceInput): void {
    for (const name of ["timeMs", "amount", "balance"] as const) requireStorable(`insurance.${name}`, movement[name]);
    this.#insurance.push({ ...movement });
  }

  recordOrder(outcome: OrderOutcome, count = 1): void {
    this.#orders[outcome] += count;
  }

  recordRejection(code: string, timeMs: number, isOrder: boolean): void {
    let seen = this.#rejections.get(code);
    if (seen === undefined) {
      seen = { code, count: 0, orders: 0, firstTimeMs: timeMs, lastTimeMs: timeMs };
      this.#rejections.set(code, seen);
    }
    seen.count++;
    seen.lastTimeMs = timeMs;
    if (!isOrder) return;
    seen.orders++;
    this.recordOrder("refused");
  }

  finish(): Recording {
    const last = this.#last;
    if (this.#blocks === 0)
      throw new ReportError("REPORT_EMPTY", "", "no block was recorded, so there is nothing to report");
    const trips = this.#trips;
    const { open } = trips;
    for (const trip of open) this.#listener.onRoundTrip?.(trip);
    const readAccount = once(() => nameColumns(ACCOUNT_COLUMNS, this.#accountCurve.columns()));
    const readMarkets = once(() =>
      this.#marketCurves.map((curve, market) => this.#finishMarket(market, curve.columns())),
    );
    return {
      // Made when they are first read: a sweep reads figures alone.
      get account() {
        return readAccount();
      },
      get marketCurves() {
        return readMarkets();
      },
      markets: this.#symbols,
      initialEquity: this.#initialEquity,
      totals: this.#totals.finish(
        this.#points.map((point) => point.unrealizedPnl),
        this.#insurance.seen,
      ),
      statistics: {
        blocks: this.#blocks,
        startTimeMs: this.#startTimeMs,
        endTimeMs: this.#timeMs,
        finalEquity: last.equity,
        finalBalance: last.balance,
        finalFundingAccrued: last.fundingAccrued,
        lowestEquity: this.#lowestEquity,
        daily: this.#daily.finish(),
        maxDrawdown: this.#drawdown.worst,
        drawdowns: this.#drawdown.deepest,
        longestDrawdownMs: this.#drawdown.longestMs,
        maxBuyAndHoldDrawdown: this.#benchmarkDrawdown?.worst ?? null,
        timeInMarketMs: this.#heldMs,
        timeNearLiquidationMs: this.#margin.nearMs,
        peakMarginRatio: this.#margin.peak,
        finalBuyAndHold: this.#benchmark.equity,
        roundTrips: trips.totals,
      },
      fills: this.#fills.events,
      funding: this.#payments.events,
      roundTrips: [...this.#closedTrips.events, ...open],
      adjustments: this.#adjustments.events,
      liquidations: this.#liquidations,
      insurance: this.#insurance.events,
      rejections: [...this.#rejections.values()].sort((a, b) => b.count - a.count || (a.code < b.code ? -1 : 1)),
      orders: { ...this.#orders },
    };
  }

  /** Liquidation prices are computed for the points that are kept; a position that nothing changed keeps its price. */
  #finishMarket(market: number, columns: Float64Array[]): RecordedColumns<MarketColumn> {
    const [, size, mark] = columns as [Float64Array, Float64Array, Float64Array];
    const [equity, maintenance] = columns.splice(POINT_COLUMNS.length) as [Float64Array, Float64Array];
    const find = this.#liquidationPrice;
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

  #requireMarket(place: string, market: number): number {
    if (Number.isInteger(market) && market >= 0 && market < this.#symbols.length) return market;
    throw new ReportError(
      "REPORT_INPUT",
      place,
      `${market} is not a row of the recorder's ${this.#symbols.length} markets`,
    );
  }
}

function leastOf(values: Float64Array, count: number): number {
  let least = values[0]!;
  for (let at = 1; at < count; at++) if (values[at]! < least) least = values[at]!;
  return least;
}

function mostOf(values: Float64Array, count: number): number {
  let most = values[0]!;
  for (let at = 1; at < count; at++) if (values[at]! > most) most = values[at]!;
  return most;
}

function requireStorable(place: string, value: number): void {
  if (isStorable(value)) return;
  throw new ReportError("REPORT_INPUT", place, `${value} is not a whole number of at most 9e15 in magnitude`);
}

/** Makes a value when it is first asked for. */
function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

function nameColumns<Name extends string>(names: readonly Name[], columns: Float64Array[]): RecordedColumns<Name> {
  return Object.fromEntries(names.map((name, i) => [name, columns[i]!])) as RecordedColumns<Name>;
}
