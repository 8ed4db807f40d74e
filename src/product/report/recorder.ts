import { type Amount, isStorable, LIMIT, type PriceE8, type SizeE8 } from "../../ground/math/fixed.ts";
import { ReportError } from "./errors.ts";
import type {
  AccountColumn,
  AccountPoint,
  AdjustmentInput,
  BlockPoint,
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
import { DailySampler, orNull, type RunState } from "./recording/dailySampler.ts";
import { DerivedColumns } from "./recording/derivedColumns.ts";
import { DrawdownTracker } from "./recording/drawdownTracker.ts";
import { EventSample } from "./recording/eventSample.ts";
import { EventTotals } from "./recording/eventTotals.ts";
import { Extremes } from "./recording/extremes.ts";
import { MarginTracker } from "./recording/marginTracker.ts";
import { PresentMarkets } from "./recording/presentMarkets.ts";
import { RoundTripTracker } from "./recording/roundTripTracker.ts";
import { Thinner } from "./recording/thinner.ts";

const POINTS_MAX = 4_000;
const EVENTS_MAX = 5_000;
/** Points that are recorded one by one before columns are tried again. */
const ONE_BY_ONE = 16;

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
  readonly #last = { equity: Number.NaN, balance: Number.NaN, fundingAccrued: Number.NaN };
  #lowestEquity: number;
  // They start as `NaN`, which is stored as a double, so that their shape never changes.
  #funding = Number.NaN;
  #fees = Number.NaN;
  #held = false;
  #heldMs = Number.NaN;

  readonly #markets: PresentMarkets;
  readonly #accountRow = new Float64Array(ACCOUNT_COLUMNS.length + 1);
  readonly #marketRow = new Float64Array(POINT_COLUMNS.length + 2);
  /** Of the points that `recordPoints` is given. */
  #derived = new DerivedColumns(0);
  readonly #extremes = new Extremes();
  #leastBenchmark = Number.NaN;
  #mostBenchmark = Number.NaN;
  readonly #liquidationPrice: RecorderOptions["liquidationPrice"];
  readonly #accountCurve: Thinner;
  readonly #marketCurves: Thinner[];

  readonly #drawdown: DrawdownTracker;
  #benchmarkDrawdown: DrawdownTracker | null = null;
  readonly #benchmark: BuyAndHold;
  readonly #daily: DailySampler;
  readonly #sample: { -readonly [K in keyof RunState]: RunState[K] };
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
    this.#funding = 0;
    this.#fees = 0;
    this.#heldMs = 0;
    this.#liquidationPrice = liquidationPrice;
    this.#timeMs = startTimeMs;
    this.#markets = new PresentMarkets(markets.length);
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
    this.#sample = { timeMs: startTimeMs, equity: initialEquity, buyAndHold: Number.NaN, funding: 0, fees: 0 };
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
    this.#requireMarket("market", market);
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
    const markets = this.#markets;
    markets.size[market] = size;
    markets.mark[market] = mark;
    markets.last[market] = last;
    markets.unrealizedPnl[market] = unrealizedPnl;
    markets.marginEquity[market] = marginEquity ?? Number.NaN;
    markets.marginMaintenance[market] = marginMaintenance ?? Number.NaN;
    if (size !== 0) this.#trips.recordPoint(market, unrealizedPnl);
    this.#benchmark.recordMark(market, mark);
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
    this.#moveLast(equity, balance, fundingAccrued);
    if (equity < this.#lowestEquity) this.#lowestEquity = equity;
    this.#held = this.#markets.isHeld;

    const buyAndHold = this.#benchmark.equity;
    if (!Number.isNaN(buyAndHold)) {
      this.#benchmarkDrawdown ??= new DrawdownTracker(timeMs, this.#initialEquity);
      this.#benchmarkDrawdown.record(timeMs, buyAndHold);
    }
    this.#drawdown.record(timeMs, equity);
    this.#margin.record(timeMs, riskEquity, riskMaintenance);
    this.#recordSample(timeMs, equity, buyAndHold);

    const { peak } = this.#drawdown;
    const ratio = riskMaintenance === 0 ? 0 : riskEquity <= 0 ? Number.POSITIVE_INFINITY : riskMaintenance / riskEquity;
    const row = this.#fillAccount(timeMs, equity, balance, maintenance, ratio, peak, (peak - equity) / peak);
    this.#accountCurve.push(row);
    for (let market = 0; market < this.#markets.count; market++) {
      if (!this.#markets.isPriced(market)) continue;
      this.#marketCurves[market]!.push(this.#fillMarket(timeMs, market, equity, maintenance));
    }
    if (this.#listener.onPoint !== undefined) this.#passPoint(maintenance, buyAndHold);
  }

  #moveLast(equity: number, balance: number, fundingAccrued: number): void {
    const last = this.#last;
    last.equity = equity;
    last.balance = balance;
    last.fundingAccrued = fundingAccrued;
  }

  #recordSample(timeMs: number, equity: number, buyAndHold: number): void {
    const sample = this.#sample;
    sample.timeMs = timeMs;
    sample.equity = equity;
    sample.buyAndHold = buyAndHold;
    sample.funding = this.#funding;
    sample.fees = this.#fees;
    this.#daily.record(sample);
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
    row[4] = this.#funding;
    row[5] = this.#fees;
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

  #passPoint(maintenance: number, buyAndHold: number): void {
    const point = this.#point;
    point.timeMs = this.#timeMs;
    point.equity = this.#last.equity;
    point.balance = this.#last.balance;
    point.unrealizedPnl = this.#markets.profit;
    point.maintenance = maintenance;
    point.funding = this.#funding;
    point.fees = this.#fees;
    point.buyAndHold = orNull(buyAndHold);
    this.#listener.onPoint?.(point);
  }

  recordPoints(points: PassedPoints): void {
    if (this.#listener.onPoint !== undefined) {
      recordEachPoint(this, points, points.count);
      return;
    }
    // The first points of a run may come before a market has its first mark.
    for (let rest = points; rest.count > 0 && !this.#recordColumns(rest); ) {
      const first = Math.min(ONE_BY_ONE, rest.count);
      recordEachPoint(this, rest, first);
      rest = dropFirst(rest, first);
    }
  }

  /**
   * Records points by column, and one by one only in what they may change; false where all is to be recorded one by
   * one.
   */
  #recordColumns(points: PassedPoints): boolean {
    const { count, times, equity, maintenance } = points;
    const from = times[0]!;
    const to = times[count - 1]!;
    if (!(from >= this.#timeMs) || !this.#areKnown(points)) return false;
    const extremes = this.#extremes;
    const mostMaintenance = extremes.read(maintenance, count).most;
    const { least: leastEquity, most: mostEquity } = extremes.read(equity, count);
    if (!(leastEquity > 0 && mostEquity <= LIMIT && mostMaintenance <= LIMIT)) return false;

    if (this.#held) this.#heldMs += to - this.#timeMs;
    this.#timeMs = to;
    this.#blocks += count;
    if (leastEquity < this.#lowestEquity) this.#lowestEquity = leastEquity;
    this.#recordBenchmark(points);
    if (this.#margin.isWithin(leastEquity, mostMaintenance)) this.#margin.skipTo(from, to);
    else for (let at = 0; at < count; at++) this.#margin.record(times[at]!, equity[at]!, maintenance[at]!);
    // Between two samples only the last state matters.
    for (let at = this.#daily.isWithin(from, to) ? count - 1 : 0; at < count; at++) {
      this.#moveMarks(points, at);
      this.#recordSample(times[at]!, equity[at]!, this.#benchmark.equity);
    }
    this.#pushAccount(points, leastEquity, mostEquity);
    for (let market = 0; market < points.markets.length; market++) this.#recordMarketColumns(points, market);
    this.#moveMarks(points, count - 1);
    this.#moveLast(equity[count - 1]!, points.balance, 0);
    return true;
  }

  /**
   * Whether points continue the positions of the last one, and each market has marks or none at all. Reads extremes of
   * the benchmark.
   */
  #areKnown({ count, markets }: PassedPoints): boolean {
    if (this.#benchmarkDrawdown === null) return false;
    this.#leastBenchmark = 0;
    this.#mostBenchmark = 0;
    for (let market = 0; market < markets.length; market++) {
      const { size, marks, lasts } = markets[market]!;
      if (size !== this.#markets.size[market] || size !== this.#trips.getSignedE8(market)) return false;
      const { least, most } = this.#extremes.read(marks, count);
      const isPriced = least > 0 && this.#benchmark.hasStarted(market);
      if (!isPriced && (most > 0 || lasts[count - 1]! > 0)) return false;
      this.#leastBenchmark += this.#benchmark.valueAt(market, least);
      this.#mostBenchmark += this.#benchmark.valueAt(market, most);
    }
    return true;
  }

  #recordBenchmark(points: PassedPoints): void {
    const { count, times } = points;
    const drawdown = this.#benchmarkDrawdown!;
    if (drawdown.isWithin(this.#leastBenchmark, this.#mostBenchmark)) {
      drawdown.skipTo(times[count - 1]!);
      return;
    }
    for (let at = 0; at < count; at++) {
      this.#moveMarks(points, at);
      drawdown.record(times[at]!, this.#benchmark.equity);
    }
  }

  /** The benchmark moves to the marks of a point. */
  #moveMarks({ markets }: PassedPoints, at: number): void {
    for (let market = 0; market < markets.length; market++) {
      this.#benchmark.recordMark(market, markets[market]!.marks[at]!);
    }
  }

  #pushAccount(points: PassedPoints, leastEquity: number, mostEquity: number): void {
    const { count, times, equity, maintenance, balance } = points;
    if (this.#derived.capacity < count) this.#derived = new DerivedColumns(2 * count);
    const { ratios, peaks, drawdowns } = this.#derived;
    this.#derived.read(points, this.#drawdown, leastEquity, mostEquity);
    this.#accountCurve.pushRows(count, [equity, ratios, drawdowns], (at) => {
      this.#moveMarks(points, at);
      const own = maintenance[at]!;
      return this.#fillAccount(times[at]!, equity[at]!, balance, own, ratios[at]!, peaks[at]!, drawdowns[at]!);
    });
  }

  #recordMarketColumns({ count, times, equity, maintenance, markets }: PassedPoints, market: number): void {
    const { size, marks, lasts, unrealizedPnl } = markets[market]!;
    const present = this.#markets;
    const last = count - 1;
    if (lasts[last] === 0 && marks[last] === 0) return;
    present.marginEquity[market] = Number.NaN;
    present.marginMaintenance[market] = Number.NaN;
    present.unrealizedPnl[market] = unrealizedPnl[last]!;
    if (size !== 0) {
      const { least, most } = this.#extremes.read(unrealizedPnl, count);
      this.#trips.recordPoint(market, least);
      this.#trips.recordPoint(market, most);
      this.#trips.recordPoint(market, unrealizedPnl[last]!);
    }
    const sizes = this.#derived.sizes.fill(size, 0, count);
    this.#marketCurves[market]!.pushRows(count, [sizes, marks], (at) => {
      present.mark[market] = marks[at]!;
      present.last[market] = lasts[at]!;
      return this.#fillMarket(times[at]!, market, equity[at]!, maintenance[at]!);
    });
    present.mark[market] = marks[last]!;
    present.last[market] = lasts[last]!;
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
    requireStorable("funding.timeMs", payment.timeMs);
    requireStorable("funding.rate", payment.rate);
    requireStorable("funding.amount", payment.amount);
    requireStorable("funding.size", payment.size);
    requireStorable("funding.mark", payment.mark);
    requireStorable("funding.index", payment.index);
    this.#funding += payment.amount;
    this.#markets.funding[payment.market]! += payment.amount;
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
      totals: this.#totals.finish([...this.#markets.unrealizedPnl], this.#insurance.seen),
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
        finalBuyAndHold: orNull(this.#benchmark.equity),
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

/** As `recordPoints` does for the first of some points. */
export function recordEachPoint(
  recorder: Pick<Recorder, "recordMarket" | "recordBlock">,
  points: PassedPoints,
  count: number,
): void {
  const { times, equity, maintenance, balance, markets } = points;
  for (let at = 0; at < count; at++) {
    for (let market = 0; market < markets.length; market++) {
      const { size, marks, lasts, unrealizedPnl } = markets[market]!;
      const point = { size, mark: marks[at], last: lasts[at], unrealizedPnl: unrealizedPnl[at] };
      const margin = { marginEquity: equity[at], marginMaintenance: maintenance[at] };
      recorder.recordMarket(market, { ...point, ...margin } as MarketPoint);
    }
    const own = { timeMs: times[at], equity: equity[at], balance, maintenance: maintenance[at], fundingAccrued: 0 };
    recorder.recordBlock(own as BlockPoint);
  }
}

function dropFirst({ count, times, equity, maintenance, balance, markets }: PassedPoints, first: number): PassedPoints {
  return {
    count: count - first,
    times: times.subarray(first),
    equity: equity.subarray(first),
    maintenance: maintenance.subarray(first),
    balance,
    markets: markets.map(({ size, marks, lasts, unrealizedPnl }) => ({
      size,
      marks: marks.subarray(first),
      lasts: lasts.subarray(first),
      unrealizedPnl: unrealizedPnl.subarray(first),
    })),
  };
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
