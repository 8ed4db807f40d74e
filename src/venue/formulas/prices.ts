import { clampMove } from "../engine/prices/clamp.ts";
import { computeMedianMark as computeMedian, computeMid, computeTraded, moveAverage } from "../engine/prices/mark.ts";
import { computeBandHigh, computeBandLow } from "../engine/prices/priceBand.ts";
import { FormulaError } from "./formulaError.ts";
import { type MarketTerms, namesOf, takeFields, takeList, takeMarket } from "./terms.ts";
import { formatPrice, parseBasis, parsePrice, parseShare, takeCount } from "./text.ts";

const MEDIAN = namesOf("markTau", "priceMost");
const BAND = namesOf("priceBand", "tickSize");

export interface MedianMark {
  /** The mark before clamp and band, USD. */
  readonly mark: string;
  /** The average of mid less index after this block, USD. */
  readonly basis: string;
}

/**
 * The mark by the method `median` (PRC-3), before the clamp: the median of
 *
 *     index + EMA(mid - index),   median(best bid, best ask, last),   reported mark
 *
 * A missing part is the index; without a reported mark the nearer to the index of the first two. Source: Hyperliquid.
 *
 * @param basis     average of mid less index before this block; "0" at first
 * @param elapsedMs since the block before
 *
 * Rounding: mid down, the average toward zero, both at 1e-8 USD.
 */
export function computeMedianMark(
  market: MarketTerms<(typeof MEDIAN)[number]>,
  prices: {
    readonly index: string;
    readonly bid?: string;
    readonly ask?: string;
    readonly last?: string;
    readonly reported?: string;
    readonly basis?: string;
    readonly elapsedMs: number;
  },
): MedianMark {
  takeMarket(market, MEDIAN);
  const index = parsePrice(takeFields(prices, "prices").index, "index");
  const read = (text: string | undefined, argument: string) => (text === undefined ? 0 : parsePrice(text, argument));
  const [bid, ask, last] = [read(prices.bid, "bid"), read(prices.ask, "ask"), read(prices.last, "last")];
  const basis = moveAverage(
    parseBasis(prices.basis ?? "0", "basis"),
    computeMid(index, bid, ask) - index,
    takeCount(prices.elapsedMs, 0, "elapsedMs"),
    market.markTau,
  );
  const mark = computeMedian(index, basis, computeTraded(index, bid, ask, last), read(prices.reported, "reported"));
  const bounded = mark < 1 ? 1 : mark > market.priceMost ? market.priceMost : mark;
  return { mark: formatPrice(bounded), basis: formatPrice(basis) };
}

/**
 * An exponential average after a sample (PRC-3), with weight elapsed / (tau + elapsed), 8 decimals, toward zero.
 */
export function computeAverage(terms: {
  readonly average: string;
  readonly sample: string;
  readonly elapsedMs: number;
  readonly tauMs: number;
}): string {
  const { average, sample, elapsedMs, tauMs } = takeFields(terms, "terms");
  const [from, to] = [parseBasis(average, "average"), parseBasis(sample, "sample")];
  return formatPrice(moveAverage(from, to, takeCount(elapsedMs, 0, "elapsedMs"), takeCount(tauMs, 1, "tauMs")));
}

/**
 * Time-weighted average of prices, each of which was valid for a time: sum(price * ms) / sum(ms), 8 decimals, toward
 * zero. For studies; no rule of the venue uses it.
 */
export function computeTwap(samples: readonly { readonly price: string; readonly ms: number }[]): string {
  let weighted = 0n;
  let time = 0n;
  takeList(samples, "samples").forEach((entry, place) => {
    const { price, ms } = takeFields(entry, `samples[${place}]`);
    const weight = BigInt(takeCount(ms, 0, `samples[${place}].ms`));
    weighted += BigInt(parsePrice(price, `samples[${place}].price`)) * weight;
    time += weight;
  });
  if (time === 0n) throw new FormulaError("FORMULA_RANGE", "samples", "some time must have passed");
  return formatPrice(weighted / time);
}

/**
 * A price moved toward a target by at most a share of it (PRC-2), USD. Bounds are rounded inwards, but a step of 1e-8
 * is always allowed.
 */
export function computeClampedPrice(terms: {
  readonly from: string;
  readonly to: string;
  readonly clamp: string;
}): string {
  const { from, to, clamp } = takeFields(terms, "terms");
  return formatPrice(clampMove(parsePrice(from, "from"), parsePrice(to, "to"), parseShare(clamp, "clamp")));
}

/** Prices that orders may have (ORD-5), USD: `priceBand` around oracle and index, bounds rounded inwards. */
export function computePriceBand(
  market: MarketTerms<(typeof BAND)[number]>,
  prices: { readonly oracle: string; readonly index: string },
): { readonly low: string; readonly high: string } {
  takeMarket(market, BAND);
  const { oracle, index } = takeFields(prices, "prices");
  const [raw, clamped] = [parsePrice(oracle, "oracle"), parsePrice(index, "index")];
  return {
    low: formatPrice(computeBandLow(raw, clamped, market.priceBand)),
    high: formatPrice(computeBandHigh(raw, clamped, market.priceBand, market.tickSize)),
  };
}
