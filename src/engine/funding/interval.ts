import type { Ppb } from "../../math/fixed.ts";
import type { MarketParameters } from "../../protocol/parameters.ts";
import { FUNDING_METHOD } from "../../protocol/words.ts";
import type { MarketRow } from "../state/schema.ts";
import type { State } from "../state/state.ts";
import { computeEightHourRate, computeFundingShare } from "./rate.ts";
import { clearPremiums, closeMinute, computeMeanPremium, countMinutes, getPremiumSum } from "./samples.ts";

/**
 * Adds what a market pays for its time up to `until` to what is due (FND-2): for the time since it was last settled, at the
 * premium of the samples since, and for an interval at most; nothing without samples, and nothing before its clock runs.
 *
 * @param rules that were in force in that time
 * @param until ms, not before the time of the last settlement
 */
export function addDue(state: State, market: MarketRow, rules: MarketParameters, until: number): void {
  const { markets } = state;
  closeMinute(state, market, rules);
  const settled = markets.settledTime[market];
  const samples = markets.premiumSamples[market];
  if (settled === 0 || samples === 0) return;
  const elapsed = computePaidTime(rules, settled, until);
  const minutes = countMinutes(settled, settled + elapsed);
  const premium = computeMeanPremium(rules, getPremiumSum(state, market), samples, minutes);
  const share = computeFundingShare(rules, computeEightHourRate(rules, premium), elapsed, markets.fundingCarry[market]);
  markets.fundingDue[market] = (markets.fundingDue[market] + share.rate) as Ppb;
  markets.fundingCarry[market] = share.carry;
}

/** Time that is paid where funding was settled up to one instant and is now up to another, ms: what is beyond an interval lapses. */
export function computePaidTime({ fundingInterval }: MarketParameters, settled: number, until: number): number {
  return Math.min(until - settled, fundingInterval);
}

/** Last instant at which rules pay, ms, at most now: the last end of an interval on the clock; of `continuous` every block is one. */
export function getLastEnd({ fundingMethod, fundingInterval }: MarketParameters, now: number): number {
  return fundingMethod === FUNDING_METHOD.continuous ? now : Math.floor(now / fundingInterval) * fundingInterval;
}

/**
 * Ends a market's running interval, because the way of paying changes (FND-2): its time so far is due as the rules until now
 * say, and the clock goes on from here. Nothing is paid twice, and nothing is lost: where this is the block after its end on the
 * clock, it ends there, and the time since has no samples; without samples, time is left to what comes. The next sample is due
 * at once.
 *
 * @param before parameters that were in force until now
 * @param after  those that come
 */
export function changeFunding(
  state: State,
  market: MarketRow,
  before: MarketParameters,
  after: MarketParameters,
): void {
  const sameMethod = before.fundingMethod === after.fundingMethod;
  if (sameMethod && (before.fundingInterval === after.fundingInterval || !hasIntervals(after))) return;
  const { markets } = state;
  const settled = markets.settledTime[market];
  const end = getLastEnd(before, state.timeMs);
  const until = end > settled ? end : state.timeMs;
  addDue(state, market, before, until);
  const isPaid = settled !== 0 && markets.premiumSamples[market] !== 0;
  // Another method would misread the samples, another interval would pay for them again.
  clearPremiums(state, market, isPaid ? until : settled, 0);
}

/** Whether a market pays at the ends of intervals: not by the second, and not when a rate is recorded. */
function hasIntervals({ fundingMethod }: MarketParameters): boolean {
  return fundingMethod !== FUNDING_METHOD.continuous && fundingMethod !== FUNDING_METHOD.external;
}
