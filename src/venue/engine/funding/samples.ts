import { mulDivTrunc, type TimeMs } from "../../../ground/math/fixed.ts";
import type { MarketParameters } from "../../../protocol/parameters.ts";
import { FUNDING_METHOD } from "../../../protocol/words.ts";
import { moveAverage } from "../prices/mark.ts";
import type { MarketRow } from "../state/schema.ts";
import type { State } from "../state/state.ts";

/** Length of a minute of `dydx`, ms. */
export const MINUTE = 60_000;

/**
 * The average of `continuous` is kept in 1e-14: fine enough that steps of a second are not lost in a time constant of
 * days.
 */
export const AVERAGE_SCALE = 100_000;

const BASE = 2 ** 52;

/** Sum of a market's samples. It may be long, so it is two doubles, high * 2^52 + low. */
export function getPremiumSum({ markets }: State, market: MarketRow): bigint {
  return BigInt(markets.premiumHigh[market]) * BigInt(BASE) + BigInt(markets.premiumSum[market]);
}

export function setPremiumSum({ markets }: State, market: MarketRow, sum: bigint): void {
  markets.premiumHigh[market] = Number(sum / BigInt(BASE));
  markets.premiumSum[market] = Number(sum % BigInt(BASE));
}

/**
 * Sum of samples after one more (FND-1), in ppb, exact. `continuous` moves an average toward the sample with weight dt
 * / (tau + dt), in 1e-14, toward zero, from the first sample on. `binance8h` weights the n-th sample by n. The other
 * methods add samples up.
 *
 * @param sum     of the samples before
 * @param samples how many those are
 * @param dt      ms since the last sample
 */
export function addSample(
  rules: Pick<MarketParameters, "fundingMethod" | "fundingTau">,
  sum: bigint,
  samples: number,
  premium: number,
  dt: number,
): bigint {
  switch (rules.fundingMethod) {
    case FUNDING_METHOD.continuous: {
      const target = premium * AVERAGE_SCALE;
      return BigInt(samples === 0 ? target : moveAverage(Number(sum), target, dt, rules.fundingTau));
    }
    case FUNDING_METHOD.binance8h:
      return sum + BigInt(premium) * BigInt(samples + 1);
    default:
      return sum + BigInt(premium);
  }
}

/** Value of a minute of `dydx`: the mean of its samples, toward zero, ppb. */
export function computeMinute(sum: number, samples: number): number {
  return mulDivTrunc(sum, 1, samples);
}

/** Minutes of the clock that a time has a part of, from `from` up to but not including `to`, ms. */
export function countMinutes(from: number, to: number): number {
  return Math.ceil(to / MINUTE) - Math.floor(from / MINUTE);
}

/**
 * Premium of an interval (FND-2), ppb, toward zero: the mean of its samples; of `binance8h` weighted by their numbers;
 * of `dydx` over all minutes, those without a sample as 0; of `continuous` the average.
 *
 * @param samples at least one
 * @param minutes of the interval, for `dydx`
 */
export function computeMeanPremium(
  rules: Pick<MarketParameters, "fundingMethod">,
  sum: bigint,
  samples: number,
  minutes: number,
): number {
  switch (rules.fundingMethod) {
    case FUNDING_METHOD.continuous:
      return Number(sum / BigInt(AVERAGE_SCALE));
    case FUNDING_METHOD.binance8h:
      return Number((sum * 2n) / (BigInt(samples) * BigInt(samples + 1)));
    case FUNDING_METHOD.dydx:
      return Number(sum / BigInt(Math.max(samples, minutes)));
    default:
      return Number(sum / BigInt(samples));
  }
}

/**
 * Whether a sample is due (FND-1): `dydx` takes one in every block, `binance8h` at the first block of each step of the
 * clock, the others at the least distance.
 */
export function isSampleDue({ fundingMethod, fundingSample }: MarketParameters, sampled: number, now: number): boolean {
  switch (fundingMethod) {
    case FUNDING_METHOD.dydx:
      return true;
    case FUNDING_METHOD.binance8h:
      return Math.floor(now / fundingSample) > Math.floor(sampled / fundingSample);
    default:
      return now - sampled >= fundingSample;
  }
}

/** Adds a premium to a market's samples (`addSample`). */
export function addPremium(
  state: State,
  market: MarketRow,
  rules: MarketParameters,
  premium: number,
  elapsedMs: number,
): void {
  const { markets } = state;
  const before = getPremiumSum(state, market);
  setPremiumSum(state, market, addSample(rules, before, markets.premiumSamples[market], premium, elapsedMs));
  markets.premiumSamples[market]++;
}

/** Makes one value of the samples of a minute of dYdX. The event of the step that closes it reports it. */
export function closeMinute(state: State, market: MarketRow, rules: MarketParameters): void {
  const { markets } = state;
  if (markets.minuteSamples[market] === 0) return;
  addPremium(state, market, rules, computeMinute(markets.minuteSum[market], markets.minuteSamples[market]), 0);
  markets.minuteSum[market] = 0;
  markets.minuteSamples[market] = 0;
}

/**
 * Drops a market's samples: an interval has used them, and its payment is due.
 *
 * @param settledMs up to when funding is settled
 * @param sampledMs when the last sample counts as taken
 */
export function clearPremiums(state: State, market: MarketRow, settledMs: number, sampledMs: number): void {
  const { markets } = state;
  markets.premiumSum[market] = 0;
  markets.premiumHigh[market] = 0;
  markets.premiumSamples[market] = 0;
  markets.minuteSum[market] = 0;
  markets.minuteSamples[market] = 0;
  markets.settledTime[market] = settledMs as TimeMs;
  markets.sampledTime[market] = sampledMs as TimeMs;
  const due = markets.fundingDue[market];
  const carry = markets.fundingCarry[market];
  state.events.premiumsCleared({ market, settledMs, sampledMs, due, carry });
}
