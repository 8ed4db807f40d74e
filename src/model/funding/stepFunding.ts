import { clamp } from "../arithmetic.ts";
import { statusRules } from "../market/lifecycle.ts";
import { VALUE_SCALE } from "../market/parameters.ts";
import { isTrusted } from "../prices/validity.ts";
import type { Market, ModelState } from "../state.ts";
import { computeIntervalRate, computePeriodRate } from "./rate.ts";
import { clearSamples, computeMeanPremium, endMinute, isSampleDue, takeSample } from "./sample.ts";

/** Step 3: a sample of every market, and settlement where an interval ended (FND). */
export function sampleAndSettleFunding(state: ModelState): void {
  for (const market of state.markets) if (isFunded(state, market)) fund(market, state.timeMs);
}

/** Whether funding goes on: by status, pause, price and gap (MKT, PRC-1, PRC-4). */
function isFunded(state: ModelState, market: Market): boolean {
  const { parameters, index, gap } = market;
  if (index <= 0n || gap || parameters.pauseFund === "on" || !statusRules(market).fund) return false;
  return isTrusted(market, state.timeMs, "funding");
}

function fund(market: Market, timeMs: number): void {
  const { funding, parameters } = market;
  if (parameters.fundingMethod === "external") {
    if (!funding.settle) return;
    accrue(market, funding.rate);
    Object.assign(funding, { due: 0n, carry: 0n, settledMs: timeMs });
    return;
  }
  if (parameters.fundingMethod === "continuous") payByTime(market, timeMs);
  else payByInterval(market, timeMs);
  const payment = clamp(funding.due, -parameters.fundingPaymentMax, parameters.fundingPaymentMax);
  if (payment === 0n) return;
  funding.due -= payment;
  accrue(market, payment);
}

/** The block that ends an interval still belongs to it; in dYdX's way it belongs to the next. Intervals missed lapse. */
function payByInterval(market: Market, timeMs: number): void {
  const { funding, parameters } = market;
  const { fundingInterval, fundingMethod } = parameters;
  const endMs = Math.floor(timeMs / fundingInterval) * fundingInterval;
  const samplesFirst = fundingMethod !== "dydx";
  if (samplesFirst && isSampleDue(market, timeMs)) takeSample(market, timeMs);
  if (endMs > funding.settledMs) {
    endMinute(market);
    // The first block of a market only starts the clock.
    if (funding.settledMs !== 0) addDue(market, BigInt(fundingInterval));
    clearSamples(market);
    funding.settledMs = endMs;
  }
  if (!samplesFirst) takeSample(market, timeMs);
}

/** Every block pays for its time at the average with its own sample, for at most an interval. */
function payByTime(market: Market, timeMs: number): void {
  const { funding, parameters } = market;
  if (isSampleDue(market, timeMs)) takeSample(market, timeMs);
  if (funding.settledMs !== 0) {
    addDue(market, BigInt(Math.min(timeMs - funding.settledMs, parameters.fundingInterval)));
  }
  funding.settledMs = timeMs;
}

function addDue(market: Market, timeMs: bigint): void {
  const { funding, parameters } = market;
  const premium = computeMeanPremium(market);
  if (premium === undefined) return;
  const paid = computeIntervalRate(parameters, computePeriodRate(parameters, premium), timeMs, funding.carry);
  funding.carry = paid.carry;
  funding.due += paid.rate;
}

/** Moves the cumulative index: trunc(rate * index price * lot), 1e-9 quote units a lot (FND-3). */
function accrue(market: Market, rate: bigint): void {
  market.funding.index += (rate * market.index * market.parameters.lotSize) / VALUE_SCALE;
}

/** Another way of funding starts anew: samples are dropped and the clock stands, what is due stays (FND-2). */
export function restartFunding(market: Market): void {
  clearSamples(market);
  market.funding.settledMs = 0;
}
