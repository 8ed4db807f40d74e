import { isStorable, LIMIT, type SizeE8 } from "../../ground/math/fixed.ts";
import { ReportError } from "./errors.ts";
import type {
  AccountPoint,
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
  RecorderOptions,
  Recording,
  RecordListener,
  RoundTrip,
} from "./input.ts";
import { BuyAndHold } from "./recording/buyAndHold.ts";
import { RunningSums } from "./recording/curveRows.ts";
import { Curves } from "./recording/curves.ts";
import { DailySampler, orNull, type RunState } from "./recording/dailySampler.ts";
import { DrawdownTracker } from "./recording/drawdownTracker.ts";
import { createPayment, dropFirst, fillPayment, recordEachPoint } from "./recording/eachPoint.ts";
import { EventSample } from "./recording/eventSample.ts";
import { EventTotals } from "./recording/eventTotals.ts";
import { Extremes } from "./recording/extremes.ts";
import { FundingAtPoints } from "./recording/fundingAtPoints.ts";
import { FundingSample } from "./recording/fundingSample.ts";
import { MarginTracker } from "./recording/marginTracker.ts";
import { OrderCounts } from "./recording/orderCounts.ts";
import { PresentMarkets } from "./recording/presentMarkets.ts";
import { RoundTripTracker } from "./recording/roundTripTracker.ts";

const POINTS_MAX = 4_000;
const EVENTS_MAX = 5_000;
/** Points that are recorded one by one before columns are tried again. */
const ONE_BY_ONE = 16;

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
  #held = false;
  #heldMs = Number.NaN;

  readonly #markets: PresentMarkets;
  readonly #sums = new RunningSums();
  /** Of the points that are recorded by column. */
  readonly #funding: FundingAtPoints;
  readonly #payment = createPayment();
  readonly #extremes = new Extremes();
  #leastBenchmark = Number.NaN;
  #mostBenchmark = Number.NaN;
  /** By market, and of the account: extremes of the points that are recorded by column. */
  readonly #leastMarks: Float64Array;
  readonly #mostMarks: Float64Array;
  readonly #bounds = { leastEquity: Number.NaN, mostEquity: Number.NaN, mostMaintenance: Number.NaN };
  readonly #liquidationPrice: RecorderOptions["liquidationPrice"];
  readonly #curves: Curves;

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
  readonly #payments: FundingSample;
  readonly #closedTrips: EventSample<RoundTrip>;
  readonly #adjustments: EventSample<AdjustmentInput>;
  readonly #insurance: EventSample<InsuranceInput>;
  readonly #liquidations: LiquidationInput[] = [];
  readonly #eventsMax: number;
  readonly #orders = new OrderCounts();

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
    this.#heldMs = 0;
    this.#liquidationPrice = liquidationPrice;
    this.#timeMs = startTimeMs;
    this.#markets = new PresentMarkets(markets.length);
    this.#leastMarks = new Float64Array(markets.length);
    this.#mostMarks = new Float64Array(markets.length);
    this.#drawdown = new DrawdownTracker(startTimeMs, initialEquity);
    this.#benchmark = new BuyAndHold(initialEquity, markets.length);
    this.#funding = new FundingAtPoints(markets.length);
    this.#curves = new Curves(this.#markets, this.#benchmark, this.#sums, this.#funding, points);
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
    this.#payments = new FundingSample(events);
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

  recordBlock(point: BlockPoint): void {
    const { timeMs, equity, balance, maintenance, fundingAccrued } = point;
    const { riskEquity = equity, riskMaintenance = maintenance } = point;
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
    this.#recordSample(timeMs, equity, buyAndHold, this.#sums.funding);
    this.#curves.push(point, this.#drawdown);
    if (this.#listener.onPoint !== undefined) this.#passPoint(maintenance, buyAndHold);
  }

  #moveLast(equity: number, balance: number, fundingAccrued: number): void {
    const last = this.#last;
    last.equity = equity;
    last.balance = balance;
    last.fundingAccrued = fundingAccrued;
  }

  #recordSample(timeMs: number, equity: number, buyAndHold: number, funding: number): void {
    const sample = this.#sample;
    sample.timeMs = timeMs;
    sample.equity = equity;
    sample.buyAndHold = buyAndHold;
    sample.funding = funding;
    sample.fees = this.#sums.fees;
    this.#daily.record(sample);
  }

  #passPoint(maintenance: number, buyAndHold: number): void {
    const point = this.#point;
    point.timeMs = this.#timeMs;
    point.equity = this.#last.equity;
    point.balance = this.#last.balance;
    point.unrealizedPnl = this.#markets.profit;
    point.maintenance = maintenance;
    point.funding = this.#sums.funding;
    point.fees = this.#sums.fees;
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
    const bounds = this.#bounds;
    bounds.leastEquity = leastEquity;
    bounds.mostEquity = mostEquity;
    bounds.mostMaintenance = mostMaintenance;
    this.#recordPayments(points);

    if (this.#held) this.#heldMs += to - this.#timeMs;
    this.#timeMs = to;
    this.#blocks += count;
    if (leastEquity < this.#lowestEquity) this.#lowestEquity = leastEquity;
    this.#recordBenchmark(points);
    if (this.#margin.isWithin(leastEquity, mostMaintenance)) this.#margin.skipTo(from, to);
    else for (let at = 0; at < count; at++) this.#margin.record(times[at]!, equity[at]!, maintenance[at]!);
    // Between two samples only the last state matters.
    for (let at = to <= this.#daily.nextMs ? count - 1 : 0; at < count; at++) {
      if (at < count - 1 && times[at + 1]! <= this.#daily.nextMs) continue;
      const buyAndHold = this.#benchmark.equityAt(points.markets, at);
      this.#recordSample(times[at]!, equity[at]!, buyAndHold, this.#funding.at(at));
    }
    this.#curves.pushAccountColumns(points, bounds, this.#drawdown);
    for (let market = 0; market < points.markets.length; market++) this.#recordMarketColumns(points, market);
    this.#benchmark.recordMarks(points.markets, count - 1);
    this.#moveLast(equity[count - 1]!, points.balance[count - 1]!, 0);
    return true;
  }

  /**
   * Whether points continue the positions of the last one, and each market has marks or none at all. Reads extremes of
   * marks and of the benchmark.
   */
  #areKnown({ count, markets }: PassedPoints): boolean {
    if (this.#benchmarkDrawdown === null) return false;
    this.#leastBenchmark = 0;
    this.#mostBenchmark = 0;
    for (let market = 0; market < markets.length; market++) {
      const { size, marks, lasts } = markets[market]!;
      if (size !== this.#markets.size[market] || size !== this.#trips.getSignedE8(market)) return false;
      const { least, most } = this.#extremes.read(marks, count);
      this.#leastMarks[market] = least;
      this.#mostMarks[market] = most;
      const isPriced = least > 0 && this.#benchmark.hasStarted(market);
      if (!isPriced && (most > 0 || lasts[count - 1]! > 0)) return false;
      this.#leastBenchmark += this.#benchmark.valueAt(market, least);
      this.#mostBenchmark += this.#benchmark.valueAt(market, most);
    }
    return true;
  }

  /** Records the payments of points, whose sums at each point are kept. */
  #recordPayments(points: PassedPoints): void {
    this.#funding.read(points, this.#sums.funding, this.#markets.funding);
    for (let place = 0; place < points.payments.count; place++) {
      fillPayment(this.#payment, points, place);
      this.recordFunding(this.#payment);
    }
  }

  #recordBenchmark(points: PassedPoints): void {
    const { count, times } = points;
    const drawdown = this.#benchmarkDrawdown!;
    if (drawdown.isWithin(this.#leastBenchmark, this.#mostBenchmark)) {
      drawdown.skipTo(times[count - 1]!);
      return;
    }
    for (let at = 0; at < count; at++) {
      drawdown.record(times[at]!, this.#benchmark.equityAt(points.markets, at));
    }
  }

  #recordMarketColumns(points: PassedPoints, market: number): void {
    const { count, markets } = points;
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
    this.#curves.pushMarketColumns(points, market, this.#leastMarks[market]!, this.#mostMarks[market]!);
    present.mark[market] = marks[last]!;
    present.last[market] = lasts[last]!;
  }

  recordFill(fill: FillInput): void {
    this.#requireMarket("fill.market", fill.market);
    for (const name of ["timeMs", "size", "price", "value", "fee", "realizedPnl", "liquidationFee"] as const) {
      requireStorable(`fill.${name}`, fill[name]);
    }
    if (fill.size <= 0) throw new ReportError("REPORT_INPUT", "fill.size", "must be positive; the side is in `side`");
    this.#sums.fees += fill.fee + fill.liquidationFee;
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
    this.#sums.funding += payment.amount;
    this.#markets.funding[payment.market]! += payment.amount;
    this.#trips.recordFunding(payment);
    this.#totals.addFunding(payment);
    this.#payments.push(payment);
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
    this.#orders.record(outcome, count);
  }

  recordRejection(code: string, timeMs: number, isOrder: boolean): void {
    this.#orders.reject(code, timeMs, isOrder);
  }

  finish(): Recording {
    const last = this.#last;
    if (this.#blocks === 0)
      throw new ReportError("REPORT_EMPTY", "", "no block was recorded, so there is nothing to report");
    const trips = this.#trips;
    const { open } = trips;
    for (const trip of open) this.#listener.onRoundTrip?.(trip);
    const readAccount = once(() => this.#curves.readAccount());
    const readMarkets = once(() => this.#curves.readMarkets(this.#liquidationPrice));
    const readFunding = once(() => this.#payments.events);
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
      get funding() {
        return readFunding();
      },
      roundTrips: [...this.#closedTrips.events, ...open],
      adjustments: this.#adjustments.events,
      liquidations: this.#liquidations,
      insurance: this.#insurance.events,
      ...this.#orders.finish(),
    };
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
