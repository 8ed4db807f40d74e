import { min } from "../arithmetic.ts";
import { statusRules } from "../market/lifecycle.ts";
import { computeOpenInterestRate, openInterestOf } from "../market/openInterestRate.ts";
import type { Market, ModelState } from "../state.ts";
import { computeClampedPrice } from "./clampedPrice.ts";
import { computeBasis, computeBookPrice, computeMedianMark, type MarkComponents } from "./markTarget.ts";
import { isTrusted } from "./validity.ts";

/** Step 2: index, then mark, of every market; and what moves once a block with the mark (PRC, MRG-1). */
export function movePrices(state: ModelState): void {
  for (const market of state.markets) {
    market.previousIndex = market.index;
    market.previousMark = market.mark;
    if (!standsStill(state, market)) {
      if (market.parameters.markMethod === "external") takeRecorded(market);
      else moveMarket(market, state.elapsedMs);
    }
    market.openInterestRate = computeOpenInterestRate(market, openInterestOf(state, market));
  }
}

/** Index and mark stand still where nothing may be liquidated, in a gap, and where the status says so (PRC-1, PRC-4, MKT). */
function standsStill(state: ModelState, market: Market): boolean {
  return market.gap || !statusRules(market).prices || !isTrusted(market, state.timeMs, "liquidate");
}

/** Recorded marks stand as they are, without clamp and band (PRC-2). */
function takeRecorded(market: Market): void {
  if (market.oracle > 0n) market.index = market.oracle;
  market.mark = market.external;
}

function moveMarket(market: Market, elapsedMs: number): void {
  const { markClamp, markBand, markMethod, markTau, priceMost } = market.parameters;
  market.index = market.index === 0n ? market.oracle : computeClampedPrice(market.index, market.oracle, markClamp);
  const components = readComponents(market);
  if (markMethod === "median")
    market.basis = computeBasis(market.basis, components, BigInt(elapsedMs), BigInt(markTau));
  const target =
    markMethod === "oracle"
      ? market.index
      : markMethod === "book"
        ? computeBookPrice(components)
        : computeMedianMark(components, market.basis);
  const clamped = market.mark === 0n ? target : computeClampedPrice(market.mark, target, markClamp);
  market.mark = min(computeClampedPrice(market.index, clamped, markBand), priceMost);
}

function readComponents({ index, bids, asks, last, external, parameters }: Market): MarkComponents {
  const priceOf = (ticks: bigint | undefined) =>
    ticks === undefined || ticks === 0n ? undefined : ticks * parameters.tickSize;
  return {
    index,
    bid: priceOf(bids[0]?.price),
    ask: priceOf(asks[0]?.price),
    last: priceOf(last),
    external: external === 0n ? undefined : external,
  };
}
