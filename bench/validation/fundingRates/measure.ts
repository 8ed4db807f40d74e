import { formatDecimal } from "../../../src/ground/math/decimal.ts";
import { computeFundingRate } from "../../../src/venue/formulas/funding.ts";
import { readMarket } from "../../../src/venue/formulas/market.ts";
import { readScaled } from "../decimals.ts";
import { findRecorded, readRows } from "../recorded.ts";

export const FOLDER = "funding_hyperliquid_binance";
const COLUMNS = ["time_ms", "funding_rate", "premium"] as const;
export type FundingRow = Readonly<Record<(typeof COLUMNS)[number], string>>;

/** Digits of a rate here; the recording has one more. */
const RATE_DECIMALS = 9;
const RECORDED_DECIMALS = 10;

/**
 * How a rate computed from the recorded premium compares with the recorded rate:
 *
 *     equal       in all digits that a rate has here
 *     lastDigit   one unit of the last digit: the premium has one digit more than a premium here
 *     other       more than that
 */
export interface FundingComparison {
  readonly market: string;
  readonly hours: number;
  readonly fromMs: number;
  readonly toMs: number;
  readonly equal: number;
  readonly lastDigit: number;
  readonly other: readonly { readonly timeMs: number; readonly recorded: string; readonly computed: string }[];
  /**
   * Hours by the part of the formula that decided: the premium within the clamp, beyond it, or a bound that cut the
   * rate.
   */
  readonly parts: { readonly interest: number; readonly clamped: number; readonly bounded: number };
  readonly greatestRate: string;
}

/** Hyperliquid's rule: an hour pays an eighth of premium and interest, at most 4 %. */
const MARKET = readMarket({
  fundingMethod: "hyperliquid",
  fundingInterval: "3600000",
  fundingInterest: "0.0001",
  fundingClamp: "0.0005",
  fundingCap: "0.04",
});

export const MARKETS = ["BTC", "ETH"] as const;

/** The recorded hours of a market; undefined where they are absent. */
export function readFunding(market: string): FundingRow[] | undefined {
  const folder = findRecorded(FOLDER);
  return folder === undefined ? undefined : [...readRows(folder, `HL_${market}_funding_1h.csv.gz`, COLUMNS)];
}

/** Settles each hour at its recorded premium, by the engine's formula. */
export function compareFunding(market: string, rows: readonly FundingRow[]): FundingComparison {
  const parts = { interest: 0, clamped: 0, bounded: 0 };
  const other: FundingComparison["other"][number][] = [];
  let [equal, lastDigit, greatest] = [0, 0, 0];
  for (const { time_ms, funding_rate, premium } of rows) {
    const sample = cut(premium);
    const computed = readScaled(computeFundingRate(MARKET, [formatDecimal(sample, RATE_DECIMALS)]), RATE_DECIMALS);
    const recorded = cut(funding_rate);
    parts[findPart(sample, computed)]++;
    greatest = Math.max(greatest, Math.abs(computed));
    if (computed === recorded) equal++;
    else if (Math.abs(computed - recorded) === 1) lastDigit++;
    else
      other.push({ timeMs: Number(time_ms), recorded: funding_rate, computed: formatDecimal(computed, RATE_DECIMALS) });
  }
  const times = rows.map(({ time_ms }) => Number(time_ms));
  return {
    market,
    hours: rows.length,
    fromMs: times[0] ?? 0,
    toMs: times.at(-1) ?? 0,
    equal,
    lastDigit,
    other,
    parts,
    greatestRate: formatDecimal(greatest, RATE_DECIMALS),
  };
}

/** Recorded text in the digits of a rate here, toward zero as the engine rounds. */
function cut(text: string): number {
  return Math.trunc(readScaled(text, RECORDED_DECIMALS) / 10) + 0;
}

function findPart(premium: number, rate: number): keyof FundingComparison["parts"] {
  const { fundingInterest, fundingClamp } = MARKET;
  const correction = fundingInterest - premium;
  const isClamped = Math.abs(correction) > fundingClamp;
  const eightHours = premium + Math.sign(correction) * Math.min(Math.abs(correction), fundingClamp);
  if (Math.abs(rate * 8 - eightHours) > 8) return "bounded";
  return isClamped ? "clamped" : "interest";
}
