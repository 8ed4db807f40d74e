import type { Ppb } from "../../../ground/math/fixed.ts";
import { allowsFunding } from "../../../protocol/lifecycle.ts";
import type { MarketParameters } from "../../../protocol/parameters.ts";
import { FUNDING_METHOD } from "../../../protocol/words.ts";
import type { MarketRow } from "../state/schema.ts";
import type { State } from "../state/state.ts";
import { computeEightHourRate, computeFundingShare } from "./rate.ts";
import { clearPremiums, closeMinute, computeMeanPremium, countMinutes, getPremiumSum } from "./samples.ts";

/**
 * Adds a market's payment up to `until` to what is due (FND-2). It covers the time since the last settlement, at most
 * one interval, at the premium of the samples since. Without samples nothing is added.
 *
 * @param rules that were in force in that time
 * @param until ms, not before the time of the last settlement
 */
export function addDue(state: State, market: MarketRow, rules: MarketParameters, until: number): void {
  const { markets } = state;
  closeMinute(state, market, rules);
  const settled = markets.settledTime[market];
  const samples = markets.premiumSamples[market];
  if (samples === 0) return;
  const elapsed = computePaidTime(rules, settled, until);
  const minutes = countMinutes(settled, settled + elapsed);
  const premium = computeMeanPremium(rules, getPremiumSum(state, market), samples, minutes);
  const share = computeFundingShare(rules, computeEightHourRate(rules, premium), elapsed, markets.fundingCarry[market]);
  markets.fundingDue[market] = (markets.fundingDue[market] + share.rate) as Ppb;
  markets.fundingCarry[market] = share.carry;
}

/** Time that is paid between two instants up to which funding is settled, ms. Time beyond an interval lapses. */
export function computePaidTime({ fundingInterval }: MarketParameters, settled: number, until: number): number {
  return Math.min(until - settled, fundingInterval);
}

/**
 * Last instant at which rules pay, ms, at most now: the last end of an interval on the clock; of `continuous` every
 * block is one.
 */
export function getLastEnd({ fundingMethod, fundingInterval }: MarketParameters, now: number): number {
  return fundingMethod === FUNDING_METHOD.continuous ? now : Math.floor(now / fundingInterval) * fundingInterval;
}

/**
 * Applies a change of parameters to a market's funding interval (FND-2, FND-4). Stopping ends it; starting begins one
 * at this block. Another method or interval ends it while the market funds. Before the clock of the market runs,
 * nothing changes.
 *
 * @param before parameters that were in force until now
 * @param after  parameters from now on
 */
export function changeFunding(
  state: State,
  market: MarketRow,
  before: MarketParameters,
  after: MarketParameters,
): void {
  const { timeMs } = state;
  if (state.markets.settledTime[market] === 0) return; // The clock does not run: step 3 starts it.
  const funds = allowsFunding(after);
  if (!allowsFunding(before)) {
    if (funds) clearPremiums(state, market, timeMs, 0);
    return;
  }
  const sameMethod = before.fundingMethod === after.fundingMethod;
  const sameInterval = before.fundingInterval === after.fundingInterval || !hasIntervals(after);
  if (funds && sameMethod && sameInterval) return;
  clearPremiums(state, market, endInterval(state, market, before, timeMs), 0);
}

/**
 * Drops the time between the last block and this one, if this block came too late or waits for a price (FND-4). The
 * interval ends at the last block, and another begins at this one.
 *
 * @param last time of the block before, ms
 */
export function lapseRestart(state: State, market: MarketRow, last: number): void {
  endInterval(state, market, state.parameters[market]!, last);
  clearPremiums(state, market, state.timeMs, 0);
}

/**
 * Makes the earnings of a market's running interval due, as if it ended at `now`. If its end on the clock has passed
 * since the last settlement, it ends there, because later time has no samples. Without samples no time is used up.
 *
 * @returns time up to which funding is settled then, ms
 */
function endInterval(state: State, market: MarketRow, rules: MarketParameters, now: number): number {
  const { markets } = state;
  const settled = markets.settledTime[market];
  const end = getLastEnd(rules, now);
  const until = end > settled ? end : now;
  addDue(state, market, rules, until);
  return markets.premiumSamples[market] !== 0 ? until : settled;
}

/** Whether a market pays at the ends of intervals: not by the second, and not when a rate is recorded. */
function hasIntervals({ fundingMethod }: MarketParameters): boolean {
  return fundingMethod !== FUNDING_METHOD.continuous && fundingMethod !== FUNDING_METHOD.reported;
}
