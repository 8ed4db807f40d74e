import type { PriceE8 } from "../../math/fixed.ts";
import { movesPrices } from "../../protocol/lifecycle.ts";
import { MARK_METHOD } from "../../protocol/words.ts";
import { refreshInitialRate } from "../margin/initialRate.ts";
import { clampBand, clampMove } from "../prices/clamp.ts";
import { computeMedianMark, computeMid, computeTraded, moveAverage } from "../prices/mark.ts";
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
    refreshInitialRate(state, market);
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
  const { markMethod, markTau, priceMost, tickSize } = state.parameters[market]!;
  if (markMethod === MARK_METHOD.oracle) return index;
  const { markets } = state;
  const { bestBid, bestAsk } = state.books[market]!;
  const bid = bestBid * tickSize;
  const ask = bestAsk * tickSize;
  const traded = computeTraded(index, bid, ask, markets.last[market] * tickSize);
  let target = traded;
  if (markMethod === MARK_METHOD.median) {
    const sample = computeMid(index, bid, ask) - index;
    const basis = moveAverage(markets.basis[market], sample, elapsedMs, markTau);
    markets.basis[market] = basis as PriceE8;
    target = computeMedianMark(index, basis, traded, markets.external[market]);
  }
  return target < 1 ? 1 : target > priceMost ? priceMost : target;
}
