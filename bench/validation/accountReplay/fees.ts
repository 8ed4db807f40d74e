import { computeMakerFee, computeTakerFee } from "../../../src/venue/engine/matching/fees.ts";

/**
 * Rates of the venue's lowest tier, taker and maker in ppm: the plain ones, and those with 4 % off for a referred
 * account.
 */
const RATES = [
  { taker: 450, maker: 150 },
  { taker: 432, maker: 144 },
] as const;

export interface FeeFigures {
  /** Fills in markets of the venue itself. */
  readonly fills: number;
  /** Whose fee by the engine's formula is the recorded one, or a quote unit more: fees round up here. */
  readonly equal: number;
  /** Fills in markets of other deployers: a fifth of the rates, which is no whole number of ppm. */
  readonly finerRates: number;
}

/** A fee next to the engine's, at the rate of the schedule that is nearer. */
export function isFeeOfSchedule(value: number, recorded: number, role: "taker" | "maker"): boolean {
  return RATES.some(({ taker, maker }) => {
    const takerFee = computeTakerFee(value, taker);
    const fee = role === "taker" ? takerFee : computeMakerFee(value, maker, takerFee);
    return fee === recorded || fee === recorded + 1;
  });
}
