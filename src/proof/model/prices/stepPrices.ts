import { clamp } from "../arithmetic.ts";
import { statusRules } from "../market/lifecycle.ts";
import { computeOpenInterestRate, openInterestOf } from "../market/openInterestRate.ts";
import type { Market, ModelState } from "../state.ts";
import { computeBandedPrice, computeClampedPrice } from "./clampedPrice.ts";
import { noteRestart } from "./gap.ts";
import { computeBasis, computeBookPrice, computeMedianMark, type MarkComponents } from "./markTarget.ts";
import { isTrusted } from "./validity.ts";

/** Step 2: index, then mark, of every market; and the rates that change once a block with the mark (PRC, MRG-1). */
export function movePrices(state: ModelState): void {
  for (const market of state.markets) {
    market.markBefore = market.mark;
    if (!isFrozen(state, market)) {
      if (market.parameters.markMethod === "reported") takeRecorded(market);
      else moveMarket(market, state);
    }
    market.openInterestRate = computeOpenInterestRate(market, openInterestOf(state, market));
  }
}

/**
 * Index and mark do not move if nothing may be liquidated, while restarting, and if the status forbids it (PRC-1,
 * PRC-4, MKT).
 */
function isFrozen(state: ModelState, market: Market): boolean {
  if (!statusRules(market).prices) return true;
  noteRestart(state, market);
  return market.restarting || !isTrusted(market, state.timeMs, "liquidate");
}

/** Recorded marks apply as they are, without clamp and band; a missing one equals the other (PRC-2). */
function takeRecorded(market: Market): void {
  const { oracle, reported } = market;
  market.index = oracle === 0n ? reported : oracle;
  market.mark = reported === 0n ? oracle : reported;
}

function moveMarket(market: Market, { timeMs, elapsedMs }: ModelState): void {
  const { markClamp, markBand, markTau, priceMost } = market.parameters;
  market.index = market.index === 0n ? market.oracle : computeClampedPrice(market.index, market.oracle, markClamp);
  const components = readComponents(market, timeMs);
  if (market.parameters.markMethod === "median")
    market.basis = computeBasis(market.basis, components, BigInt(elapsedMs), BigInt(markTau));
  const target = clamp(computeTarget(market, components), 1n, priceMost);
  const moved = market.mark === 0n ? target : computeClampedPrice(market.mark, target, markClamp);
  market.mark = computeBandedPrice(moved, market.index, markBand);
}

/** The target of the mark by the market's method (PRC-3). */
function computeTarget({ parameters, basis }: Market, components: MarkComponents): bigint {
  if (parameters.markMethod === "oracle") return components.index;
  return parameters.markMethod === "book" ? computeBookPrice(components) : computeMedianMark(components, basis);
}

/** A reported mark counts while it is at most `oracleStale` old; 0 means for ever. */
function readComponents(market: Market, timeMs: number): MarkComponents {
  const { index, bids, asks, last, reported, reportedMs, parameters } = market;
  const { tickSize, oracleStale, priceMost } = parameters;
  const priceOf = (ticks: bigint | undefined) =>
    ticks === undefined || ticks === 0n ? undefined : clamp(ticks * tickSize, 1n, priceMost);
  const isFresh = reported !== 0n && (oracleStale === 0 || timeMs - reportedMs <= oracleStale);
  return {
    index,
    bid: priceOf(bids[0]?.price),
    ask: priceOf(asks[0]?.price),
    last: priceOf(last),
    reported: isFresh ? reported : undefined,
  };
}
