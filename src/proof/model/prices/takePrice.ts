import type { Market } from "../state.ts";
import { PPM } from "../words.ts";
import { computeWeightedMedian } from "./weightedMedian.ts";

/** Whether two prices are within a ratio of each other; the bound itself is within. A ratio of 0 is no bound. */
function isWithin(a: bigint, b: bigint, ratio: bigint): boolean {
  return ratio === 0n || (a * PPM <= b * ratio && b * PPM <= a * ratio);
}

/**
 * Accepts a new raw price, unless it is further from the last one than `oracleVolatile`. Then it is a candidate until
 * enough reports in a row agree, each with the one before (PRC-1). In markets with recorded marks no price waits.
 */
export function takePrice(market: Market, price: bigint, confidence: bigint, timeMs: number): void {
  const { oracleVolatile, oracleConfirmations, markMethod } = market.parameters;
  if (markMethod !== "reported" && market.oracle > 0n && !isWithin(price, market.oracle, oracleVolatile)) {
    const agrees = market.candidate > 0n && isWithin(price, market.candidate, oracleVolatile);
    market.confirmations = agrees ? market.confirmations + 1 : 1;
    market.candidate = price;
    if (market.confirmations < oracleConfirmations) return;
  }
  market.candidate = 0n;
  market.confirmations = 0;
  market.oracle = price;
  market.confidence = confidence;
  market.oracleMs = timeMs;
}

/** Price and confidence of the fresh reports of a market's sources; undefined if there are too few (PRC-1). */
export function computeSourcePrice(
  market: Market,
  timeMs: number,
): { readonly price: bigint; readonly confidence: bigint } | undefined {
  const { sources, minSources, oracleStale } = market.parameters;
  const fresh = sources.flatMap(({ weight }, place) => {
    const report = market.reports[place];
    if (report === undefined || weight === 0n) return [];
    return oracleStale === 0 || timeMs - report.timeMs <= oracleStale ? [{ report, weight }] : [];
  });
  if (fresh.length < minSources) return undefined;
  const price = computeWeightedMedian(fresh.map(({ report, weight }) => ({ value: report.price, weight })));
  const confidence = computeWeightedMedian(fresh.map(({ report, weight }) => ({ value: report.confidence, weight })));
  return price === undefined || confidence === undefined ? undefined : { price, confidence };
}
