import { formatDecimal } from "../../../ground/math/decimal.ts";
import { AMOUNT_DECIMALS } from "../../../ground/math/fixed.ts";
import type { Recording } from "../input.ts";
import { computeDailyReturns, computeSharpe, computeSortino, computeVolatility, type Outcome } from "./dailyReturns.ts";
import { getMetricDefinition, type MetricId, type MetricReason, metricDefinitions, TRADES_MIN } from "./definitions.ts";
import { computeCagr, computeCalmar, computeDrawdown, computeTotalReturn } from "./growth.ts";

/** A metric of a report. */
export interface Metric {
  readonly id: MetricId;
  readonly version: number;
  /** Decimal text when the unit is `usd`; null with a reason when there is no value. */
  readonly value: number | string | null;
  readonly reason?: MetricReason;
}

type Value = Outcome | { readonly usd: bigint };

/** Every metric of a recording, in the order of `metricDefinitions`. */
export function computeMetrics(recording: Recording): Metric[] {
  const values: Record<MetricId, Value> = {
    ...computeReturnMetrics(recording),
    ...computeRiskMetrics(recording),
    ...computeTradingMetrics(recording),
    ...computeCostMetrics(recording),
  };
  return (Object.keys(metricDefinitions) as MetricId[]).map((id) => toMetric(id, values[id]));
}

function computeReturnMetrics({ initialEquity, totals, statistics }: Recording) {
  const { finalEquity, finalBuyAndHold, lowestEquity, daily, startTimeMs, endTimeMs } = statistics;
  const flow: Outcome | null = totals.transfers === 0n ? null : { reason: "externalFlow" };
  const invalid: Outcome | null = flow ?? (lowestEquity <= 0 ? { reason: "equityNotPositive" } : null);
  const returns = invalid === null ? computeDailyReturns(daily.map((sample) => sample.equity)) : [];
  const cagr = invalid ?? computeCagr(initialEquity, finalEquity, endTimeMs - startTimeMs);
  return {
    totalReturn: flow ?? { value: computeTotalReturn(initialEquity, finalEquity) },
    buyAndHoldReturn:
      finalBuyAndHold === null
        ? ({ reason: "noPrice" } as const)
        : { value: computeTotalReturn(initialEquity, finalBuyAndHold) },
    cagr,
    volatility: invalid ?? computeVolatility(returns),
    sharpe: invalid ?? computeSharpe(returns),
    sortino: invalid ?? computeSortino(returns),
    calmar: computeCalmar(cagr, computeDrawdown(statistics.maxDrawdown)),
  };
}

function computeRiskMetrics({ totals, statistics }: Recording) {
  const peak = statistics.peakMarginRatio;
  const flow: Outcome | null = totals.transfers === 0n ? null : { reason: "externalFlow" };
  let peakMarginRatio: Outcome;
  if (peak === null) peakMarginRatio = { reason: "noPosition" };
  else if (peak.equity <= 0) peakMarginRatio = { reason: "equityNotPositive" };
  else peakMarginRatio = { value: peak.maintenance / peak.equity };
  return {
    maxDrawdown: flow ?? { value: computeDrawdown(statistics.maxDrawdown) },
    maxDrawdownDuration: flow ?? { value: statistics.longestDrawdownMs },
    buyAndHoldMaxDrawdown:
      statistics.finalBuyAndHold === null
        ? ({ reason: "noPrice" } as const)
        : { value: computeDrawdown(statistics.maxBuyAndHoldDrawdown) },
    peakMarginRatio,
    timeNearLiquidation: { value: statistics.timeNearLiquidationMs },
    liquidations: { value: totals.liquidations },
    liquidationNotional: { usd: totals.liquidationValue },
    deficit: { usd: totals.deficit },
  };
}

function computeTradingMetrics({ initialEquity, totals, statistics, rejections }: Recording) {
  const { roundTrips, timeInMarketMs, startTimeMs, endTimeMs } = statistics;
  const { closed, wins, losses, profit, loss, holdingMs } = roundTrips;
  const few: Outcome | null = closed < TRADES_MIN ? { reason: "tooFewTrades" } : null;
  const traded = totals.makerValue + totals.takerValue;
  const duration = endTimeMs - startTimeMs;
  return {
    exposure: duration === 0 ? ({ reason: "noTime" } as const) : { value: timeInMarketMs / duration },
    fills: { value: totals.fills },
    roundTrips: { value: closed },
    winRate: few ?? { value: wins / closed },
    profitFactor: few ?? (losses === 0 ? ({ reason: "noLoss" } as const) : { value: Number(profit) / Number(loss) }),
    expectancy: few ?? { usd: (profit - loss) / BigInt(closed) },
    averageHolding: closed === 0 ? ({ reason: "noRoundTrip" } as const) : { value: Math.round(holdingMs / closed) },
    tradedValue: { usd: traded },
    turnover: { value: Number(traded) / initialEquity },
    makerShare: traded === 0n ? ({ reason: "noFill" } as const) : { value: Number(totals.makerValue) / Number(traded) },
    rejected: { value: rejections.reduce((sum, { count }) => sum + count, 0) },
  };
}

function computeCostMetrics({ totals }: Recording) {
  return {
    makerFees: { usd: totals.makerFees },
    takerFees: { usd: totals.takerFees },
    liquidationFees: { usd: totals.liquidationFees },
    fundingPaid: { usd: totals.fundingPaid },
    fundingReceived: { usd: totals.fundingReceived },
  };
}

/** Ratios keep 12 significant digits: the last ones of `**` differ between machines. */
function toMetric(id: MetricId, value: Value): Metric {
  const { version } = getMetricDefinition(id);
  if ("reason" in value) return { id, version, value: null, reason: value.reason };
  if ("usd" in value) return { id, version, value: formatDecimal(value.usd, AMOUNT_DECIMALS) };
  return { id, version, value: Number(value.value.toPrecision(12)) + 0 };
}
