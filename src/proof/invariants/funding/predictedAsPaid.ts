import { allowsFunding } from "../../../protocol/lifecycle.ts";
import { FUNDING_METHOD } from "../../../protocol/words.ts";
import { getPredictedRate } from "../../../venue/engine/funding/predictedRate.ts";
import type { MarketRow } from "../../../venue/engine/state/schema.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import { listMarkets } from "../../../venue/engine/state/walk.ts";
import { defineInvariant } from "../machinery/defineInvariant.ts";
import { exactPremium, exactRate, exactShare } from "../machinery/exact/funding.ts";

const LIMB = 4_503_599_627_370_496n; // 2^52
const MINUTE = 60_000;

export const predictedAsPaid = defineInvariant({
  id: "predictedAsPaid",
  sentence: "The predicted funding rate is the rate that the interval would pay with its samples so far.",
  rules: ["FND-3"],
  catalogue: ["F04"],
  when: "block",
  sweep: (state, step) => findMispredicted(state, step),
});

/** @param getRate the engine's predicted rate, or a faulty one in tests */
export function findMispredicted(
  state: State,
  step: { met: number },
  getRate: (state: State, market: MarketRow) => number = getPredictedRate,
): string | undefined {
  for (const market of listMarkets(state)) {
    step.met++;
    const [reported, right] = [getRate(state, market), predict(state, market)];
    if (BigInt(reported) !== right)
      return `${state.marketNames[market]}: ${reported} is predicted, and ${right} would be paid`;
  }
  return undefined;
}

function predict(state: State, market: MarketRow): bigint {
  const { markets, timeMs } = state;
  const rules = state.parameters[market]!;
  if (!allowsFunding(rules)) return 0n;
  if (rules.fundingMethod === FUNDING_METHOD.reported) return BigInt(markets.fundingRate[market]!);
  let sum = BigInt(markets.premiumHigh[market]!) * LIMB + BigInt(markets.premiumSum[market]!);
  let samples: number = markets.premiumSamples[market]!;
  const minute: number = markets.minuteSamples[market]!;
  if (minute > 0) {
    sum += BigInt(markets.minuteSum[market]!) / BigInt(minute);
    samples++;
  }
  const settled: number = markets.settledTime[market]!;
  if (samples === 0) return 0n;
  const began = timeMs - (timeMs % rules.fundingInterval);
  const end = began + rules.fundingInterval;
  // A change of the funding method or of the interval started the running interval from scratch.
  const from = settled > began ? settled : began;
  let premium: bigint;
  if (rules.fundingMethod === FUNDING_METHOD.dydx) {
    // Only the minutes so far count, not all minutes of the interval.
    const minutes = Math.floor(timeMs / MINUTE) - Math.floor(from / MINUTE) + 1;
    premium = sum / BigInt(Math.max(samples, minutes));
  } else premium = exactPremium(rules, sum, samples, from, end);
  const none = { due: 0n, carry: BigInt(markets.fundingCarry[market]!) };
  const elapsed = rules.fundingMethod === FUNDING_METHOD.continuous ? rules.fundingInterval : end - from;
  return exactShare(rules, exactRate(rules, premium), elapsed, none).due;
}
