import { formatDecimal } from "../../ground/math/decimal.ts";
import { AMOUNT_DECIMALS, LIMIT } from "../../ground/math/fixed.ts";
import { FUNDING_METHOD, SIDE } from "../../protocol/words.ts";
import { ImpactFill } from "../engine/funding/impact.ts";
import { computeIndexDelta } from "../engine/funding/indexDelta.ts";
import { computeFundingPaymentBig, computeFundingRemainder, INDEX_SCALE } from "../engine/funding/owed.ts";
import { computePremium as computeSample } from "../engine/funding/premium.ts";
import { computeEightHourRate, computeFundingShare, computeRateBound } from "../engine/funding/rate.ts";
import { addSample, computeMeanPremium, countMinutes } from "../engine/funding/samples.ts";
import { FormulaError } from "./formulaError.ts";
import { type Level, readLevels } from "./levels.ts";
import { type MarketTerms, namesOf, takeFields, takeList, takeMarket, takeWord } from "./terms.ts";
import {
  formatAmount,
  formatPrice,
  formatRate,
  parseLots,
  parsePrice,
  parseRate,
  parseRemainder,
  takeCount,
} from "./text.ts";

const IMPACT = namesOf("lotSize", "tickSize", "tickLotValue", "impactNotional");
const BOUND = namesOf("fundingMethod", "fundingInterval", "fundingCap", "fundingBound", "fundingCapMargin", "tiers");
const RATE = namesOf(...BOUND, "fundingInterest", "fundingClamp", "fundingSample", "fundingTau");
const PAYMENT = namesOf("lotSize", "lotNumerator", "lotDenominator");
type ImpactMarket = MarketTerms<(typeof IMPACT)[number]>;

/**
 * Average price of filling the market's `impactNotional` on one side of a book (FND-1), USD; undefined where the book
 * is not deep enough. Rounding: down for bids, up for asks.
 *
 * @param levels from the best price on
 */
export function computeImpactPrice(
  market: ImpactMarket,
  side: "bids" | "asks",
  levels: readonly Level[],
): string | undefined {
  takeMarket(market, IMPACT);
  const price = averageOf(market, takeWord(side, ["bids", "asks"], "side"), levels);
  return price === 0 ? undefined : formatPrice(price);
}

/**
 * One premium sample (FND-1), 9 decimals, toward zero:
 *
 *     (max(0, impactBid - index) - max(0, index - impactAsk)) / index
 *
 * A side without the depth counts as no premium. Source: Hyperliquid, Bybit.
 */
export function computePremium(
  market: ImpactMarket,
  book: { readonly index: string; readonly bids: readonly Level[]; readonly asks: readonly Level[] },
): string {
  takeMarket(market, IMPACT);
  const index = parsePrice(takeFields(book, "book").index, "index");
  const bid = averageOf(market, "bids", book.bids);
  return formatRate(computeSample(index, bid, averageOf(market, "asks", book.asks)));
}

/**
 * One premium sample from impact prices (FND-1), 9 decimals, toward zero; at most 1,000 % either way. A price that is
 * left out counts as no premium, as a side without the depth does.
 */
export function computePremiumFromPrices(prices: {
  readonly index: string;
  readonly impactBid?: string;
  readonly impactAsk?: string;
}): string {
  const { index, impactBid, impactAsk } = takeFields(prices, "prices");
  const read = (text: string | undefined, argument: string) => (text === undefined ? 0 : parsePrice(text, argument));
  return formatRate(
    computeSample(parsePrice(index, "index"), read(impactBid, "impactBid"), read(impactAsk, "impactAsk")),
  );
}

function averageOf(market: ImpactMarket, side: "bids" | "asks", levels: readonly Level[]): number {
  const fill = new ImpactFill(market);
  for (const { price, lots } of readLevels(market, side, levels)) {
    if (fill.left <= 0) break;
    fill.take(price, lots);
  }
  return fill.average(side === "bids" ? SIDE.buy : SIDE.sell);
}

/**
 * Rate that an interval pays, from its premium samples, oldest first (FND-2), 9 decimals:
 *
 *     hyperliquid, continuous   F8h  = premium + clamp(interest - premium, -fundingClamp, fundingClamp)
 *                               |F8h| <= fundingBound * (initial rate - maintenance rate)
 *     dydx                      F8h  = premium + interest, bounded likewise
 *     binance8h                 as the first, but |F8h| <= fundingCapMargin * maintenance rate
 *
 *     rate = F8h * interval / 8 h,  |rate| <= fundingCap * interval / 1 h
 *
 * The premium is the mean of the samples; of `binance8h` the n-th counts n times; of `dydx` they are values of minutes,
 * and minutes without one count 0; of `continuous` it is the average of samples `fundingSample` apart, and the rate is
 * what an interval pays at it.
 *
 * Rounding: premium and rate toward zero, bounds and cap down. Sources: Hyperliquid, dYdX, Binance, Paradex.
 *
 * @param premiums at least one sample
 */
export function computeFundingRate(market: MarketTerms<(typeof RATE)[number]>, premiums: readonly string[]): string {
  takeMarket(market, RATE);
  takeList(premiums, "premiums");
  if (market.fundingMethod === FUNDING_METHOD.reported) {
    throw new FormulaError("FORMULA_RANGE", "market", "rates of fundingMethod reported are recorded, not computed");
  }
  takeCount(premiums.length, 1, "premiums.length");
  let sum = 0n;
  premiums.forEach((text, place) => {
    sum = addSample(market, sum, place, parseRate(text, `premiums[${place}]`), market.fundingSample);
  });
  const { fundingInterval } = market;
  const premium = computeMeanPremium(market, sum, premiums.length, countMinutes(0, fundingInterval));
  return formatRate(computeFundingShare(market, computeEightHourRate(market, premium), fundingInterval, 0).rate);
}

/**
 * Greatest rate that an interval of a market can pay, either way (FND-2), 9 decimals: the bound per 8 h and the cap per
 * hour for its time, with the most that earlier divisions can have left to carry. A single payment is at most
 * `fundingPaymentMax` besides.
 *
 * @param elapsedMs time that the interval pays for; `fundingInterval` by default
 */
export function computeGreatestFundingRate(
  market: MarketTerms<(typeof BOUND)[number]>,
  elapsedMs: number = takeMarket(market, BOUND).fundingInterval,
): string {
  takeMarket(market, BOUND);
  if (market.fundingMethod === FUNDING_METHOD.reported) {
    throw new FormulaError("FORMULA_RANGE", "market", "rates of fundingMethod reported have no bound");
  }
  const elapsed = Math.min(takeCount(elapsedMs, 0, "elapsedMs"), market.fundingInterval);
  return formatRate(computeFundingShare(market, computeRateBound(market), elapsed, CARRY_MOST).rate);
}

/** Greatest remainder that division leaves of a rate, ppb per 8 h times ms. */
const CARRY_MOST = 28_800_000 - 1;

export interface FundingPayment {
  /** USD that the position pays; negative is received. */
  readonly payment: string;
  /** What rounding made it pay too much, 1e-15 USD steps; the next payment is that much less. */
  readonly carried: string;
}

/**
 * What a position pays for one funding payment (FND-3), USD:
 *
 *     size * index * rate
 *
 * Longs pay when positive. Rounding: the index delta of a lot toward zero at 1e-9 quote units, the payment up for payer
 * and receiver alike, with the surplus carried to the next.
 *
 * @param index   index price
 * @param carried of the payment before; "0" for the first
 */
export function computeFundingPayment(
  market: MarketTerms<(typeof PAYMENT)[number]>,
  payment: { readonly size: string; readonly rate: string; readonly index: string; readonly carried?: string },
): FundingPayment {
  takeMarket(market, PAYMENT);
  const signedLots = parseLots(market, takeFields(payment, "payment").size, "size");
  const carried = readCarried(payment.carried ?? "0");
  const delta = computeIndexDelta(market, parseRate(payment.rate, "rate"), parsePrice(payment.index, "index"));
  const amount = computeFundingPaymentBig(signedLots, delta, carried);
  if (amount > MOST || amount < -MOST) {
    throw new FormulaError("FORMULA_RANGE", "payment", "the result is beyond what can be stored");
  }
  const left = computeFundingRemainder(signedLots, delta, carried, Number(amount));
  return { payment: formatAmount(amount), carried: formatDecimal(left, CARRIED_DECIMALS) };
}

const MOST = BigInt(LIMIT);

/** INDEX_SCALE parts of a quote unit. */
const CARRIED_DECIMALS = AMOUNT_DECIMALS + 9;

function readCarried(text: string): number {
  const carried = parseRemainder(text, CARRIED_DECIMALS, "carried");
  if (carried < 0 || carried >= INDEX_SCALE) {
    throw new FormulaError("FORMULA_RANGE", "carried", "must be at least 0 and below a quote unit");
  }
  return carried;
}
