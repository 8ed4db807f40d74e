import type { ModelParameters } from "../market/parameters.ts";
import type { Market } from "../state.ts";
import { computePremium } from "./premium.ts";

const MINUTE_MS = 60_000;
/** The average of continuous funding is kept in 1e-14: 1e5 of a ppb (FND-2). */
const AVERAGE_SCALE = 100_000n;

/** Whether a block takes a sample (FND-1). */
export function isSampleDue({ funding, parameters }: Market, timeMs: number): boolean {
  const { fundingMethod, fundingSample } = parameters;
  const { sampledMs } = funding;
  if (fundingMethod === "dydx") return true;
  if (fundingMethod === "binance8h") return Math.floor(timeMs / fundingSample) > Math.floor(sampledMs / fundingSample);
  return timeMs - sampledMs >= fundingSample;
}

/** Adds the current premium to the market's samples, by its funding method (FND-1, FND-2). */
export function takeSample(market: Market, timeMs: number): void {
  const { funding, parameters } = market;
  const premium = computePremium(market);
  switch (parameters.fundingMethod) {
    case "dydx":
      if (Math.floor(timeMs / MINUTE_MS) > Math.floor(funding.sampledMs / MINUTE_MS)) endMinute(market);
      funding.minuteSum += premium;
      funding.minuteSamples += 1n;
      break;
    case "binance8h":
      funding.samples += 1n;
      funding.sum += premium * funding.samples;
      break;
    case "continuous": {
      const elapsed = BigInt(timeMs - funding.sampledMs);
      const weight = elapsed + BigInt(parameters.fundingTau);
      const target = premium * AVERAGE_SCALE;
      funding.sum = funding.samples === 0n ? target : funding.sum + ((target - funding.sum) * elapsed) / weight;
      funding.samples += 1n;
      break;
    }
    default:
      funding.sum += premium;
      funding.samples += 1n;
  }
  funding.sampledMs = timeMs;
}

/** The value of a minute is the mean of its samples, toward zero (FND-2, dydx). */
export function endMinute({ funding }: Market): void {
  if (funding.minuteSamples === 0n) return;
  funding.sum += funding.minuteSum / funding.minuteSamples;
  funding.samples += 1n;
  funding.minuteSum = 0n;
  funding.minuteSamples = 0n;
}

/**
 * The premium of an interval's samples, ppb, toward zero; undefined without samples (FND-2).
 *
 * @param paidMs time of the last settlement
 */
export function computeMeanPremium(
  { funding }: Market,
  parameters: ModelParameters,
  paidMs: number,
): bigint | undefined {
  const { sum, samples } = funding;
  if (samples === 0n) return undefined;
  switch (parameters.fundingMethod) {
    case "dydx": {
      // Clock minutes that overlap the interval.
      const endMs = funding.settledMs + paidMs;
      const minutes = BigInt(Math.ceil(endMs / MINUTE_MS) - Math.floor(funding.settledMs / MINUTE_MS));
      return sum / (samples > minutes ? samples : minutes);
    }
    case "binance8h":
      return sum / ((samples * (samples + 1n)) / 2n);
    case "continuous":
      return sum / AVERAGE_SCALE;
    default:
      return sum / samples;
  }
}

/** Drops the samples: an interval used them, or the funding method changed. */
export function clearSamples({ funding }: Market): void {
  Object.assign(funding, { sum: 0n, samples: 0n, minuteSum: 0n, minuteSamples: 0n });
}
