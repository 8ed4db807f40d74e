import { NONE } from "../../../ground/collections/table.ts";
import { compareProducts, PPM, type PriceE8, type TimeMs } from "../../../ground/math/fixed.ts";
import type { MarketParameters } from "../../../protocol/parameters.ts";
import { MARK_METHOD } from "../../../protocol/words.ts";
import type { MarketRow, SourceRow } from "../state/schema.ts";
import type { State } from "../state/state.ts";
import { type Weighted, weightedMedian } from "./weightedMedian.ts";

/** One source's report of a market's price. */
export interface SourceReport {
  /** Place in the market's list of sources. */
  readonly place: number;
  readonly price: PriceE8;
  /** Half the width of the source's confidence interval, 1e-8 USD; 0 if it reports none. */
  readonly confidence: PriceE8;
  /** When the source saw it; 0 for now. */
  readonly timeMs: number;
}

/** Makes room for the reports of a new market's sources. */
export function addSources(state: State, market: MarketRow, { sources }: MarketParameters): void {
  const { rows } = state.sources;
  state.markets.firstSource[market] = (sources.length === 0 ? NONE : rows.high) as SourceRow;
  for (let count = sources.length; count > 0; count--) rows.allocate();
}

/** Keeps a report, unless a newer one of the same source is there. A time ahead of the block counts as the block's. */
export function keepReport(state: State, market: MarketRow, report: SourceReport): void {
  const { sources, markets } = state;
  const row = (markets.firstSource[market] + report.place) as SourceRow;
  const ahead = report.timeMs === 0 || report.timeMs > state.timeMs;
  const timeMs = (ahead ? state.timeMs : report.timeMs) as TimeMs;
  if (timeMs < sources.time[row]) return;
  sources.price[row] = report.price;
  sources.confidence[row] = report.confidence;
  sources.time[row] = timeMs;
  const { place, price, confidence } = report;
  state.events.sourceReported({ market, source: place, price, confidence, timeMs });
}

/**
 * The price of a market's sources: the lower weighted median of the fresh ones, and that of their confidences;
 * undefined with fewer than `minSources` fresh ones (PRC-1). Fresh is what is not older than `oracleStale`.
 */
export function readSources(state: State, market: MarketRow): { price: number; confidence: number } | undefined {
  const { sources, markets } = state;
  const rules = state.parameters[market]!;
  const first = markets.firstSource[market];
  const prices: Weighted[] = [];
  const confidences: Weighted[] = [];
  for (let place = 0; place < rules.sources.length; place++) {
    const { weight } = rules.sources[place]!;
    const row = (first + place) as SourceRow;
    if (weight === 0 || sources.price[row] === 0 || !isFresh(state, rules, sources.time[row])) continue;
    prices.push({ weight, value: sources.price[row] });
    confidences.push({ weight, value: sources.confidence[row] });
  }
  if (prices.length === 0 || prices.length < rules.minSources) return undefined;
  return { price: weightedMedian(prices), confidence: weightedMedian(confidences) };
}

function isFresh(state: State, { oracleStale }: MarketParameters, timeMs: number): boolean {
  return oracleStale === 0 || state.timeMs - timeMs <= oracleStale;
}

/**
 * Takes a reported price for the market's oracle, unless it is further from the last one than `oracleVolatile`. Then it
 * is a candidate until `oracleConfirmations` reports in a row confirm it within that ratio (PRC-1).
 *
 * @returns the price that was taken, 0 for none
 */
export function acceptPrice(state: State, market: MarketRow, price: number, confidence: number): number {
  const { markets } = state;
  const rules = state.parameters[market]!;
  const { oracleVolatile: ratio } = rules;
  const bound = rules.markMethod !== MARK_METHOD.reported && ratio !== 0 && markets.oracle[market] !== 0;
  if (bound && isApart(price, markets.oracle[market], ratio)) {
    const candidate = markets.candidate[market];
    const again = candidate !== 0 && !isApart(price, candidate, ratio);
    const confirmations = again ? markets.confirmations[market] + 1 : 1;
    if (confirmations < rules.oracleConfirmations) {
      markets.candidate[market] = price as PriceE8;
      markets.confirmations[market] = confirmations;
      return 0;
    }
  }
  markets.candidate[market] = 0 as PriceE8;
  markets.confirmations[market] = 0;
  markets.oracle[market] = price as PriceE8;
  markets.oracleConfidence[market] = confidence as PriceE8;
  markets.oracleTime[market] = state.timeMs as TimeMs;
  return price;
}

/** Whether the larger of two prices is more than `ratio` (ppm) of the smaller. */
function isApart(a: number, b: number, ratio: number): boolean {
  return compareProducts(Math.max(a, b), PPM, Math.min(a, b), ratio) > 0;
}
