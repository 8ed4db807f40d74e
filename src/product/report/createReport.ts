import { formatDecimal } from "../../ground/math/decimal.ts";
import { AMOUNT_DECIMALS, bigDivFloor, PRICE_DECIMALS, SIZE_DECIMALS } from "../../ground/math/fixed.ts";
import { computeAttribution, getAttributionInput } from "./attribution.ts";
import type {
  DataFileInput,
  DrawdownSpan,
  DriverInput,
  LiquidationInput,
  Recording,
  ReportInput,
  RoundTrip,
  StopInput,
} from "./input.ts";
import { computeMetrics } from "./metrics/computeMetrics.ts";
import { type BacktestReport, type ReportRoundTrip, SCHEMA_VERSION, type StrategyReport } from "./model.ts";

const PPM_DECIMALS = 6;
const PPB_DECIMALS = 9;

const amount = (value: number | bigint) => formatDecimal(value, AMOUNT_DECIMALS);
const price = (value: number) => formatDecimal(value, PRICE_DECIMALS);
const size = (value: number) => formatDecimal(value, SIZE_DECIMALS);

/** Turns the recording of a driver into the report. Equal input gives an equal report; nothing is read from outside. */
export function createReport(input: ReportInput): BacktestReport {
  const strategies = (input.strategies ?? []).map(({ name, report }) => ({ name, report }));
  return { ...createStrategyReport(input), strategies };
}

/** The report of one strategy, or of all strategies together. */
export function createStrategyReport(input: Omit<ReportInput, "strategies">): StrategyReport {
  const { recording } = input;
  const { statistics } = recording;
  return {
    kind: "backtest",
    schemaVersion: SCHEMA_VERSION,
    run: {
      strategy: { id: input.strategy.id, params: { ...input.strategy.params } },
      markets: [...recording.markets],
      startMs: statistics.startTimeMs,
      endMs: statistics.endTimeMs,
      data: input.data.map(toDataFile),
      driver: toDriver(input.driver),
      engine: {
        protocolVersion: input.engine.protocolVersion,
        genesisHash: input.engine.genesisHash,
        stateRoot: input.engine.stateRoot,
        effectsHead: input.engine.effectsHead,
        blocks: input.engine.blocks,
        transactions: input.engine.transactions,
      },
      performance: { wallMs: input.performance.wallMs, peakMemoryBytes: input.performance.peakMemoryBytes },
      command: input.command,
      assumptions: [...input.assumptions],
      notices: [...input.notices],
      stopped: input.stopped === null ? null : toStop(input.stopped),
    },
    summary: toSummary(recording),
    attribution: toAttribution(recording),
    account: toAccountSeries(recording),
    markets: recording.markets.map((symbol, i) => toMarketSeries(recording, symbol, i)),
    daily: statistics.daily.map((sample) => ({
      timeMs: sample.timeMs,
      equity: amount(sample.equity),
      buyAndHold: sample.buyAndHold === null ? null : amount(sample.buyAndHold),
      funding: amount(sample.funding),
      fees: amount(sample.fees),
    })),
    fills: { total: recording.totals.fills, kept: toFills(recording) },
    roundTrips: toRoundTrips(recording),
    funding: {
      total: recording.totals.fundingPayments,
      kept: recording.funding.map((payment) => ({
        timeMs: payment.timeMs,
        market: recording.markets[payment.market]!,
        rate: formatDecimal(payment.rate, PPB_DECIMALS),
        amount: amount(payment.amount),
      })),
    },
    adjustments: recording.adjustments.map((item) => ({
      timeMs: item.timeMs,
      kind: item.kind,
      amount: amount(item.amount),
    })),
    liquidations: {
      total: recording.totals.liquidations,
      kept: recording.liquidations.map((item) => toLiquidation(recording.markets[item.market]!, item)),
    },
    insurance: {
      total: recording.totals.insuranceMovements,
      kept: recording.insurance.map((item) => ({
        timeMs: item.timeMs,
        cause: item.cause,
        amount: amount(item.amount),
        balance: amount(item.balance),
      })),
    },
    ownMetrics: input.ownMetrics.map(({ timeMs, values, ...metric }) => ({
      ...metric,
      timeMs: Array.from(timeMs),
      values: Array.from(values),
    })),
    orders: { ...recording.orders },
    rejections: toRejections(recording),
    strategies: [],
  };
}

function toStop({ reason, height, timeMs, text }: StopInput): NonNullable<BacktestReport["run"]["stopped"]> {
  return { reason, height, timeMs, text };
}

function toRejections({ rejections, orders }: Recording): BacktestReport["rejections"] {
  const sent = orders.placed + orders.amended + orders.refused;
  return rejections.map((item) => ({
    code: item.code,
    count: item.count,
    share: item.orders === 0 ? null : roundFraction(item.orders / sent),
    firstMs: item.firstTimeMs,
    lastMs: item.lastTimeMs,
  }));
}

function toDataFile(file: DataFileInput): BacktestReport["run"]["data"][number] {
  const { name, sha256, rows, fromMs, toMs, findings } = file;
  return {
    name,
    sha256,
    rows,
    fromMs,
    toMs,
    findings: findings.map(({ kind, line, column, count, sample }) => ({ kind, line, column, count, sample })),
  };
}

function toDriver(driver: DriverInput): BacktestReport["run"]["driver"] {
  return {
    fidelity: driver.fidelity.map(({ market, data }) => ({ market, data })),
    latencyMs: driver.latencyMs,
    latency: driver.latency,
    leverage: driver.leverage,
    makerFee: formatDecimal(driver.makerFee, PPM_DECIMALS),
    takerFee: formatDecimal(driver.takerFee, PPM_DECIMALS),
    participation: driver.participation === null ? null : formatDecimal(driver.participation, PPM_DECIMALS),
    spreadTicks: driver.spreadTicks,
    impact: driver.impact,
    markSource: driver.markSource,
    fundingSource: driver.fundingSource,
    blockCadence: driver.blockCadence,
    signatures: driver.signatures,
    seed: driver.seed,
    other: (driver.other ?? []).map(({ name, value }) => ({ name, value })),
  };
}

function toSummary(recording: Recording): BacktestReport["summary"] {
  const { finalEquity, finalBuyAndHold, maxDrawdown, drawdowns } = recording.statistics;
  return {
    initialEquity: amount(recording.initialEquity),
    finalEquity: amount(finalEquity),
    finalBuyAndHold: finalBuyAndHold === null ? null : amount(finalBuyAndHold),
    maxDrawdown: maxDrawdown === null ? null : toSpan(maxDrawdown),
    drawdowns: drawdowns.map(toSpan),
    metrics: computeMetrics(recording).map((metric) => ({ ...metric })),
  };
}

function toSpan(span: DrawdownSpan): BacktestReport["summary"]["drawdowns"][number] {
  return {
    peak: amount(span.peak),
    trough: amount(span.trough),
    peakMs: span.peakTimeMs,
    troughMs: span.troughTimeMs,
    recoveredMs: span.recoveredTimeMs,
  };
}

/** Mean price of fills in 1e-8 USD per base, rounded down: value is in 1e-6 USD, size in 1e-8 base. */
function toMeanPrice(value: bigint, sizeE8: bigint): string | null {
  return sizeE8 === 0n ? null : formatDecimal(bigDivFloor(value * 10_000_000_000n, sizeE8), PRICE_DECIMALS);
}

function toRoundTrips(recording: Recording): BacktestReport["roundTrips"] {
  const { closed, profit, loss } = recording.statistics.roundTrips;
  const open = recording.roundTrips.filter(({ exitTimeMs }) => exitTimeMs === null);
  const net = open.reduce((sum, trip) => sum + trip.net, profit - loss);
  const { total } = computeAttribution(getAttributionInput(recording));
  return {
    total: closed + open.length,
    open: open.length,
    kept: recording.roundTrips.map((trip) => toRoundTrip(recording.markets[trip.market]!, trip)),
    net: amount(net),
    outside: amount(total - net),
  };
}

function toRoundTrip(market: string, trip: RoundTrip): ReportRoundTrip {
  return {
    market,
    side: trip.side,
    entryMs: trip.entryTimeMs,
    exitMs: trip.exitTimeMs,
    size: size(trip.largestSize),
    entryPrice: toMeanPrice(trip.entryValue, trip.entered) ?? "0",
    exitPrice: toMeanPrice(trip.exitValue, trip.exited),
    entryValue: amount(trip.entryValue),
    fills: trip.fills,
    realizedPnl: amount(trip.realizedPnl),
    unrealizedPnl: amount(trip.unrealizedPnl),
    fees: amount(trip.fees),
    liquidationFees: amount(trip.liquidationFees),
    funding: amount(trip.funding),
    net: amount(trip.net),
    worst: amount(trip.worst),
    best: amount(trip.best),
    isLiquidated: trip.isLiquidated,
  };
}

function toAttribution(recording: Recording): BacktestReport["attribution"] {
  const parts = computeAttribution(getAttributionInput(recording));
  return {
    price: amount(parts.price),
    funding: amount(parts.funding),
    fees: amount(parts.fees),
    liquidation: amount(parts.liquidation),
    total: amount(parts.total),
    residual: amount(parts.residual),
    transfers: amount(recording.totals.transfers),
    markets: recording.totals.perMarket.map((market, i) => ({
      market: recording.markets[i]!,
      price: amount(market.realizedPnl + market.unrealizedPnl),
      funding: amount(market.funding),
      fees: amount(market.fees),
      liquidationFees: amount(market.liquidationFees),
      tradedValue: amount(market.value),
    })),
  };
}

/** Fractions keep 12 significant digits, as metrics do: a figure of both is rounded once, where it is shown. */
function roundFraction(value: number): number {
  return Number(value.toPrecision(12)) + 0;
}

function toAccountSeries({ account }: Recording): BacktestReport["account"] {
  const { timeMs, equity, balance, maintenance, funding, fees, peak, buyAndHold, marginRatio } = account;
  const at = <T>(column: Float64Array, map: (value: number, row: number) => T) => Array.from(column, map);
  return {
    timeMs: at(timeMs, (value) => value),
    equity: at(equity, amount),
    balance: at(balance, amount),
    maintenance: at(maintenance, amount),
    marginRatio: at(marginRatio, (value) => (value === Number.POSITIVE_INFINITY ? null : roundFraction(value))),
    funding: at(funding, amount),
    fees: at(fees, amount),
    drawdown: at(peak, (value, row) => roundFraction((value - equity[row]!) / value)),
    buyAndHold: at(buyAndHold, (value) => (Number.isNaN(value) ? null : amount(value))),
  };
}

function toMarketSeries(recording: Recording, symbol: string, i: number): BacktestReport["markets"][number] {
  const curve = recording.marketCurves[i]!;
  const priced = (value: number) => (value === 0 ? null : price(value));
  return {
    market: symbol,
    timeMs: [...curve.timeMs],
    size: Array.from(curve.size, size),
    mark: Array.from(curve.mark, priced),
    last: Array.from(curve.last, priced),
    funding: Array.from(curve.funding, amount),
    liquidation: Array.from(curve.liquidation, priced),
  };
}

function toFills(recording: Recording): BacktestReport["fills"]["kept"] {
  return recording.fills.map((fill) => ({
    timeMs: fill.timeMs,
    market: recording.markets[fill.market]!,
    side: fill.side,
    size: size(fill.size),
    price: price(fill.price),
    value: amount(fill.value),
    fee: amount(fill.fee),
    role: fill.role,
    realizedPnl: amount(fill.realizedPnl),
    orderId: fill.orderId,
    liquidationId: fill.liquidationId,
    liquidationFee: amount(fill.liquidationFee),
  }));
}

function toLiquidation(market: string, item: LiquidationInput): BacktestReport["liquidations"]["kept"][number] {
  return {
    id: item.id,
    timeMs: item.timeMs,
    market,
    side: item.side,
    size: size(item.size),
    mark: price(item.mark),
    equity: amount(item.equity),
    maintenance: amount(item.maintenance),
    stages: [...item.stages],
    fills: item.fills.map((fill) => ({
      timeMs: fill.timeMs,
      kind: fill.kind,
      size: size(fill.size),
      price: price(fill.price),
      value: amount(fill.value),
      fee: amount(fill.fee),
    })),
    insuranceDelta: amount(item.insuranceDelta),
    deficit: amount(item.deficit),
  };
}
