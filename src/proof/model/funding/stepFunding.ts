import { clamp } from "../arithmetic.ts";
import { statusRules } from "../market/lifecycle.ts";
import { type ModelParameters, VALUE_SCALE } from "../market/parameters.ts";
import { isTrusted } from "../prices/validity.ts";
import type { Market, ModelState } from "../state.ts";
import { computeIntervalRate, computePeriodRate } from "./rate.ts";
import { clearSamples, computeMeanPremium, endMinute, isSampleDue, takeSample } from "./sample.ts";

/**
 * Step 3: samples every market, and settles intervals that ended (FND). A market that stopped funding in this block
 * pays its ended interval (FND-4).
 */
export function sampleAndSettleFunding(state: ModelState): void {
  for (const market of state.markets) {
    if (!mayPay(state, market)) continue;
    if (funds(market)) fund(market, state.timeMs);
    else if (market.fundedBefore && market.parameters.status !== "settled") pay(market);
  }
}

/** Whether status and pause allow funding (FND-4). */
function funds(market: Pick<Market, "parameters">): boolean {
  return market.parameters.pauseFund === "off" && statusRules(market).fund;
}

/** Whether price and restart state allow a payment (PRC-1, PRC-4). */
function mayPay(state: ModelState, market: Market): boolean {
  return market.index > 0n && !market.restarting && isTrusted(market, state.timeMs, "funding");
}

function fund(market: Market, timeMs: number): void {
  const { funding, parameters } = market;
  if (parameters.fundingMethod === "reported") {
    if (funding.settle) {
      accrue(market, funding.rate);
      funding.settledMs = timeMs;
      return;
    }
    // An amount due from an earlier funding method is paid by blocks that report no rate.
  } else if (!isRunning(market)) startClock(market, timeMs);
  else if (parameters.fundingMethod === "continuous") payByTime(market, timeMs);
  else payByInterval(market, timeMs);
  pay(market);
}

/** Whether the clock of a market runs: funding is settled up to a time other than 0 (FND-2). */
function isRunning({ funding }: Pick<Market, "funding">): boolean {
  return funding.settledMs !== 0;
}

/** The first interval starts at the first block that can sample the market, with the sample of that block (FND-2). */
function startClock(market: Market, timeMs: number): void {
  market.funding.settledMs = timeMs;
  if (isSampleDue(market, timeMs)) takeSample(market, timeMs);
}

/** Pays the amount due, up to the cap of a single payment. */
function pay(market: Market): void {
  const { funding, parameters } = market;
  const payment = clamp(funding.due, -parameters.fundingPaymentMax, parameters.fundingPaymentMax);
  if (payment === 0n) return;
  funding.due -= payment;
  accrue(market, payment);
}

/**
 * The block that ends an interval belongs to it; with dYdX's method it belongs to the next one. Missed intervals lapse.
 */
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

/** Every block pays for its time at the average that includes its own sample, for at most one interval. */
function payByTime(market: Market, timeMs: number): void {
  if (isSampleDue(market, timeMs)) takeSample(market, timeMs);
  addDue(market, market.parameters, timeMs);
  market.funding.settledMs = timeMs;
}

/**
 * A payment covers the time since the last settlement, at most one interval; missed time beyond that lapses (FND-2).
 *
 * @param parameters in force in that time
 */
function addDue(market: Market, parameters: ModelParameters, untilMs: number): void {
  const { funding } = market;
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
 * The effect of a parameter change on the running interval: another method, another interval, a pause or a status
 * without funding ends it. A market that funds again starts one at the block's time. Before its clock runs there is
 * none (FND-2, FND-4).
 */
export function changeFunding(market: Market, before: ModelParameters, timeMs: number): void {
  const { funding, parameters } = market;
  if (!isRunning(market)) return;
  const fundedBefore = funds({ parameters: before });
  if (!funds(market)) {
    if (fundedBefore) endInterval(market, before, timeMs);
    return;
  }
  if (!fundedBefore) {
    clearSamples(market);
    Object.assign(funding, { settledMs: timeMs, sampledMs: 0 });
    return;
  }
  const otherWay = parameters.fundingMethod !== before.fundingMethod;
  const byInterval = parameters.fundingMethod !== "reported" && parameters.fundingMethod !== "continuous";
  if (otherWay || (byInterval && parameters.fundingInterval !== before.fundingInterval))
    endInterval(market, before, timeMs);
}

/**
 * Ends the running interval now, or at its end on the clock if that has just passed. Its time so far is due by the old
 * rules, and the clock continues from there. Without samples the time goes to the next interval. The next sample is due
 * at once (FND-2).
 */
function endInterval(market: Market, before: ModelParameters, timeMs: number): void {
  const { funding } = market;
  endMinute(market);
  const sinceEndMs = before.fundingMethod === "continuous" ? 0 : timeMs % before.fundingInterval;
  const hasEnded = timeMs - sinceEndMs > funding.settledMs;
  const untilMs = hasEnded ? timeMs - sinceEndMs : timeMs;
  addDue(market, before, untilMs);
  if (funding.samples !== 0n) funding.settledMs = untilMs;
  clearSamples(market);
  funding.sampledMs = 0;
}

/** The time of a block gap lapses: the interval ends at the block before, and another starts at this block (FND-4). */
export function lapseRestarts(state: ModelState): void {
  for (const market of state.markets) {
    market.fundedBefore = funds(market);
    const { blockGap } = market.parameters;
    if (blockGap !== 0 && blockGap < state.elapsedMs) lapse(state, market);
  }
}

/**
 * A market starts to wait for a price: its time without blocks lapses, unless a block gap already dropped it (FND-4).
 */
export function lapseRestart(state: ModelState, market: Market): void {
  if (market.funding.settledMs !== state.timeMs) lapse(state, market);
}

function lapse(state: ModelState, market: Market): void {
  if (!funds(market) || !isRunning(market)) return;
  endInterval(market, market.parameters, state.timeMs - state.elapsedMs);
  market.funding.settledMs = state.timeMs;
}
