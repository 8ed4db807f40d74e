import type { PriceE8 } from "../../math/fixed.ts";
import { MARK_METHOD, MARKET_STATUS } from "../../protocol/words.ts";
import { clampBand, clampMove } from "../prices/clamp.ts";
import { medianOfThree, moveAverage, nearer } from "../prices/mark.ts";
import { refreshMarket } from "../prices/refreshMarket.ts";
import type { MarketRow } from "../state/schema.ts";
import type { State } from "../state/state.ts";

/** Step 2 of a block: index, then mark, of every market (PRC-2, PRC-3). */
export function movePrices(state: State, elapsedMs: number): void {
  const count = state.markets.rows.high;
  for (let market = 0 as MarketRow; market < count; market++) {
    if (state.parameters[market]!.status < MARKET_STATUS.settling) moveMarket(state, market, elapsedMs);
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
    const target = rules.markMethod === MARK_METHOD.oracle ? index : computeMedianMark(state, market, index, elapsedMs);
    const moved = markBefore === 0 ? target : clampMove(markBefore, target, rules.markClamp);
    markets.mark[market] = clampBand(moved, index, rules.markBand) as PriceE8;
  }
  const index = markets.index[market];
  const mark = markets.mark[market];
  const basis = markets.basis[market];
  if (index === indexBefore && mark === markBefore && basis === basisBefore) return;
  state.events.pricesMoved({ market, index, mark, basis });
}

/**
 * Median of: index + average basis; median(best bid, best ask, last); external mark, if fed. Missing parts of the book's
 * price are the index; without an external mark, the nearer to the index of the two (PRC-3).
 */
function computeMedianMark(state: State, market: MarketRow, index: number, elapsedMs: number): number {
  const { markets } = state;
  const rules = state.parameters[market]!;
  const book = state.books[market]!;
  const tick = rules.tickSize;
  const bid = book.bestBid === 0 ? index : book.bestBid * tick;
  const ask = book.bestAsk === 0 ? index : book.bestAsk * tick;
  const last = markets.last[market] === 0 ? index : markets.last[market] * tick;
  const mid = book.bestBid === 0 || book.bestAsk === 0 ? index : Math.floor((bid + ask) / 2);
  const basis = moveAverage(markets.basis[market], mid - index, elapsedMs, rules.markTau);
  markets.basis[market] = basis as PriceE8;
  const smooth = index + basis;
  const traded = medianOfThree(bid, ask, last);
  const external = markets.external[market];
  const target = external === 0 ? nearer(smooth, traded, index) : medianOfThree(smooth, traded, external);
  return target < 1 ? 1 : target;
}
