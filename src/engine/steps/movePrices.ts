import type { PriceE8 } from "../../math/fixed.ts";
import { movesPrices } from "../../protocol/lifecycle.ts";
import { MARK_METHOD } from "../../protocol/words.ts";
import { clampBand, clampMove } from "../prices/clamp.ts";
import { medianOfThree, moveAverage, nearer } from "../prices/mark.ts";
import { refreshMarket } from "../prices/refreshMarket.ts";
import type { MarketRow } from "../state/schema.ts";
import type { State } from "../state/state.ts";

/** Step 2 of a block: index, then mark, of every market (PRC-2, PRC-3). */
export function movePrices(state: State, elapsedMs: number): void {
  const count = state.markets.rows.high;
  for (let market = 0 as MarketRow; market < count; market++) {
    state.risk.marksBefore[market] = state.markets.mark[market];
    if (movesPrices(state.parameters[market]!)) moveMarket(state, market, elapsedMs);
    // Also where prices stand still: parameters may have changed, and a restored venue works it out anew.
    refreshMarket(state, market);
  }
}

function moveMarket(state: State, market: MarketRow, elapsedMs: number): void {
  const { markets } = state;
  const rules = state.parameters[market]!;
  const indexBefore = markets.index[market];
  const markBefore = markets.mark[market];
  const basisBefore = markets.basis[market];
  if (rules.markMethod === MARK_METHOD.external) {
    // Recorded prices stand as they are: neither clamp nor band (PRC-2).
    const oracle = markets.oracle[market];
    const external = markets.external[market];
    markets.index[market] = oracle === 0 ? external : oracle;
    markets.mark[market] = external === 0 ? oracle : external;
  } else {
    const oracle = markets.oracle[market];
    if (oracle === 0) return;
    const index = (indexBefore === 0 ? oracle : clampMove(indexBefore, oracle, rules.markClamp)) as PriceE8;
    markets.index[market] = index;
    const target = computeTarget(state, market, index, elapsedMs);
    const moved = markBefore === 0 ? target : clampMove(markBefore, target, rules.markClamp);
    markets.mark[market] = clampBand(moved, index, rules.markBand) as PriceE8;
  }
  const index = markets.index[market];
  const mark = markets.mark[market];
  const basis = markets.basis[market];
  if (index === indexBefore && mark === markBefore && basis === basisBefore) return;
  state.events.pricesMoved({ market, index, mark, basis });
}

/** Where the market's method would have the mark: at least one unit, at most what is taken as a price (NUM-3). */
function computeTarget(state: State, market: MarketRow, index: number, elapsedMs: number): number {
  const { markMethod, priceMost } = state.parameters[market]!;
  if (markMethod === MARK_METHOD.oracle) return index;
  const book = readBookPrices(state, market, index);
  const target =
    markMethod === MARK_METHOD.book ? book.traded : computeMedianMark(state, market, index, book, elapsedMs);
  return target < 1 ? 1 : target > priceMost ? priceMost : target;
}

interface BookPrices {
  /** Between best bid and best ask, down; the index where a side is empty. */
  readonly mid: number;
  /** Median of best bid, best ask and last trade; one that is missing is the index. */
  readonly traded: number;
}

function readBookPrices(state: State, market: MarketRow, index: number): BookPrices {
  const { bestBid, bestAsk } = state.books[market]!;
  const tick = state.parameters[market]!.tickSize;
  const bid = bestBid === 0 ? index : bestBid * tick;
  const ask = bestAsk === 0 ? index : bestAsk * tick;
  const last = state.markets.last[market] === 0 ? index : state.markets.last[market] * tick;
  const mid = bestBid === 0 || bestAsk === 0 ? index : Math.floor((bid + ask) / 2);
  return { mid, traded: medianOfThree(bid, ask, last) };
}

/**
 * Median of: index + average basis; median(best bid, best ask, last); external mark, if fed. Without an external mark, the
 * nearer to the index of the two (PRC-3).
 */
function computeMedianMark(
  state: State,
  market: MarketRow,
  index: number,
  { mid, traded }: BookPrices,
  elapsedMs: number,
): number {
  const { markets } = state;
  const basis = moveAverage(markets.basis[market], mid - index, elapsedMs, state.parameters[market]!.markTau);
  markets.basis[market] = basis as PriceE8;
  const external = markets.external[market];
  return external === 0 ? nearer(index + basis, traded, index) : medianOfThree(index + basis, traded, external);
}
