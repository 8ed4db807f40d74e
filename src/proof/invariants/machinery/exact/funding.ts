/** Funding rates computed from scratch in big integers. Shares nothing with the engine's arithmetic (FND-2). */
import type { MarketParameters } from "../../../../protocol/parameters.ts";
import { FUNDING_METHOD } from "../../../../protocol/words.ts";

const EIGHT_HOURS = 28_800_000n;
const HOUR = 3_600_000n;

/** Funding still due from earlier intervals, ppb, and remainders of divisions, ppb per 8 h times ms. */
export interface Accrual {
  readonly due: bigint;
  readonly carry: bigint;
}

/** Premium of a time from `from` to `end`, ms, ppb, toward zero. */
export function exactPremium(rules: MarketParameters, sum: bigint, samples: number, from: number, end: number): bigint {
  const count = BigInt(samples);
  switch (rules.fundingMethod) {
    case FUNDING_METHOD.continuous:
      return sum / 100_000n;
    case FUNDING_METHOD.binance8h:
      return sum / ((count * (count + 1n)) / 2n);
    case FUNDING_METHOD.dydx: {
      let minutes = 0n;
      for (let at = from - (from % 60_000); at < end; at += 60_000) minutes++;
      return sum / (count > minutes ? count : minutes);
    }
    default:
      return sum / count;
  }
}

/** Rate per 8 h, ppb. */
export function exactRate(rules: MarketParameters, premium: bigint): bigint {
  const interest = BigInt(rules.fundingInterest);
  const { initialRate, maintenanceRate } = rules.tiers[0]!;
  const binance = rules.fundingMethod === FUNDING_METHOD.binance8h;
  // ppm times ppm, in ppb.
  const bound = binance
    ? (BigInt(rules.fundingCapMargin) * BigInt(maintenanceRate)) / 1000n
    : (BigInt(rules.fundingBound) * BigInt(initialRate - maintenanceRate)) / 1000n;
  if (rules.fundingMethod === FUNDING_METHOD.dydx) return within(premium + interest, bound);
  return within(premium + within(interest - premium, BigInt(rules.fundingClamp)), bound);
}

/** Amount due after a rate applied for some time, ms. */
export function exactShare(rules: MarketParameters, rate: bigint, elapsed: number, { due, carry }: Accrual): Accrual {
  const owed = rate * BigInt(elapsed) + carry;
  const paid = owed / EIGHT_HOURS;
  const most = (BigInt(rules.fundingCap) * BigInt(elapsed)) / HOUR;
  if (paid <= most && paid >= -most) return { due: due + paid, carry: owed - paid * EIGHT_HOURS };
  return { due: due + within(paid, most), carry: 0n };
}

function within(value: bigint, bound: bigint): bigint {
  if (value > bound) return bound;
  return value < -bound ? -bound : value;
}
