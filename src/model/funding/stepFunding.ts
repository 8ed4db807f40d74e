import { clamp } from "../arithmetic.ts";
import { statusRules } from "../market/lifecycle.ts";
import { type ModelParameters, VALUE_SCALE } from "../market/parameters.ts";
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
    if (funding.settle) {
      accrue(market, funding.rate);
      funding.settledMs = timeMs;
      return;
    }
    // What another way left due before is paid by blocks that report no rate.
  } else if (parameters.fundingMethod === "continuous") payByTime(market, timeMs);
  else payByInterval(market, timeMs);
  const payment = clamp(funding.due, -parameters.fundingPaymentMax, parameters.fundingPaymentMax);
  if (payment === 0n) return;
  funding.due -= payment;
  accrue(market, payment);
}

/** The block that ends an interval still belongs to it; in dYdX's way it belongs to the next. Intervals missed lapse. */
function payByInterval(market: Market, timeMs: number): void {
  const { funding } = market;
  const { fundingInterval, fundingMethod } = market.parameters;
  const endMs = Math.floor(timeMs / fundingInterval) * fundingInterval;
  const samplesFirst = fundingMethod !== "dydx";
  if (samplesFirst && isSampleDue(market, timeMs)) takeSample(market, timeMs);
  if (endMs > funding.settledMs) {
    endMinute(market);
    addDue(market, market.parameters, endMs);
    clearSamples(market);
    funding.settledMs = endMs;
  }
  if (!samplesFirst) takeSample(market, timeMs);
}

/** Every block pays for its time at the average with its own sample, for at most an interval. */
function payByTime(market: Market, timeMs: number): void {
  if (isSampleDue(market, timeMs)) takeSample(market, timeMs);
  addDue(market, market.parameters, timeMs);
  market.funding.settledMs = timeMs;
}

/**
 * What is paid covers the time since the last settlement, an interval at most: what is missed beyond that lapses. The first
 * block of a market only starts the clock (FND-2).
 *
 * @param parameters in force in that time
 */
function addDue(market: Market, parameters: ModelParameters, untilMs: number): void {
  const { funding } = market;
  if (funding.settledMs === 0) return;
  const paidMs = Math.min(untilMs - funding.settledMs, parameters.fundingInterval);
  const premium = computeMeanPremium(market, parameters, paidMs);
  if (premium === undefined) return;
  const paid = computeIntervalRate(parameters, computePeriodRate(parameters, premium), BigInt(paidMs), funding.carry);
  funding.carry = paid.carry;
  funding.due += paid.rate;
}

/** Moves the cumulative index: trunc(rate * index price * lot), 1e-9 quote units a lot (FND-3). */
function accrue(market: Market, rate: bigint): void {
  market.funding.index += (rate * market.index * market.parameters.lotSize) / VALUE_SCALE;
}

/**
 * Another way of funding, or another interval, ends the running one here, or at its end where that has just passed: its time so
 * far is due by the rules until now, and the clock goes on from there; without samples so far that time is left to what comes.
 * The next sample is due at once (FND-2).
 */
export function changeFunding(market: Market, before: ModelParameters, timeMs: number): void {
  const { funding, parameters } = market;
  const otherWay = parameters.fundingMethod !== before.fundingMethod;
  const byInterval = parameters.fundingMethod !== "external" && parameters.fundingMethod !== "continuous";
  if (!otherWay && !(byInterval && parameters.fundingInterval !== before.fundingInterval)) return;
  endMinute(market);
  const sinceEndMs = before.fundingMethod === "continuous" ? 0 : timeMs % before.fundingInterval;
  const hasEnded = timeMs - sinceEndMs > funding.settledMs;
  const untilMs = hasEnded ? timeMs - sinceEndMs : timeMs;
  addDue(market, before, untilMs);
  if (funding.settledMs !== 0 && funding.samples !== 0n) funding.settledMs = untilMs;
  clearSamples(market);
  funding.sampledMs = 0;
}
