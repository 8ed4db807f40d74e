import type { PriceE8 } from "../../../ground/math/fixed.ts";
import { allowsFunding, movesPrices } from "../../../protocol/lifecycle.ts";
import { OPERATION } from "../../../protocol/validity.ts";
import { MARK_METHOD } from "../../../protocol/words.ts";
import { lapseRestart } from "../funding/interval.ts";
import { refreshInitialRate } from "../margin/initialRate.ts";
import { clampBand, clampMove } from "../prices/clamp.ts";
import { computeMedianMark, computeMid, computeTraded, moveAverage } from "../prices/mark.ts";
import { refreshMarket } from "../prices/refreshMarket.ts";
import { allows, computeValidity } from "../prices/validity.ts";
import type { MarketRow } from "../state/schema.ts";
import type { State } from "../state/state.ts";

/** Step 2 of a block: index, then mark, of every market (PRC-2, PRC-3). */
export function movePrices(state: State, elapsedMs: number): void {
  const count = state.markets.rows.high;
  for (let market = 0 as MarketRow; market < count; market++) {
    state.risk.marksBefore[market] = state.markets.mark[market];
    if (movesPrices(state.parameters[market]!)) {
      noteRestart(state, market, elapsedMs);
      state.markets.validity[market] = computeValidity(state, market);
      // The mark moves only if accounts that it makes due can be liquidated in the same block.
      if (allows(state, market, OPERATION.liquidate)) moveMarket(state, market, elapsedMs);
    }
    // Also where prices did not move: parameters may have changed, and a restored venue computes it again.
    refreshMarket(state, market);
    refreshInitialRate(state, market);
  }
}

/** A block too long after the last puts the market into a gap; a price that is fresh in this block ends it (PRC-4). */
function noteRestart(state: State, market: MarketRow, elapsedMs: number): void {
  const { markets, timeMs } = state;
  const { blockGap, markMethod } = state.parameters[market]!;
  const before = markets.restarting[market];
  if (before === 0 && (blockGap === 0 || elapsedMs <= blockGap)) return;
  const fed = markMethod === MARK_METHOD.reported && markets.reportedTime[market] === timeMs;
  const fresh = fed || (markets.oracle[market] !== 0 && markets.oracleTime[market] === timeMs);
  const restarting = fresh || blockGap === 0 ? 0 : 1;
  if (restarting === before) return;
  markets.restarting[market] = restarting;
  state.events.restartChanged({ market, restarting });
  const settled = markets.settledTime[market];
  if (settled === 0 || settled === timeMs || !allowsFunding(state.parameters[market]!)) return;
  lapseRestart(state, market, timeMs - elapsedMs);
}

function moveMarket(state: State, market: MarketRow, elapsedMs: number): void {
  const { markets } = state;
  const rules = state.parameters[market]!;
  const indexBefore = markets.index[market];
  const markBefore = markets.mark[market];
  const basisBefore = markets.basis[market];
  if (rules.markMethod === MARK_METHOD.reported) {
    // Recorded prices are used unchanged: neither clamp nor band (PRC-2).
    const oracle = markets.oracle[market];
    const reported = markets.reported[market];
    markets.index[market] = oracle === 0 ? reported : oracle;
    markets.mark[market] = reported === 0 ? oracle : reported;
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

/** Target of the mark by the market's method: at least one unit, at most the greatest price (NUM-3). */
function computeTarget(state: State, market: MarketRow, index: number, elapsedMs: number): number {
  const { markMethod, markTau, oracleStale, priceMost, tickSize } = state.parameters[market]!;
  if (markMethod === MARK_METHOD.oracle) return index;
  const { markets } = state;
  const { bestBid, bestAsk } = state.books[market]!;
  // Houses may quote at prices above the greatest reference price.
  const bid = Math.min(bestBid * tickSize, priceMost);
  const ask = Math.min(bestAsk * tickSize, priceMost);
  const traded = computeTraded(index, bid, ask, Math.min(markets.last[market] * tickSize, priceMost));
  let target = traded;
  if (markMethod === MARK_METHOD.median) {
    const sample = computeMid(index, bid, ask) - index;
    const basis = moveAverage(markets.basis[market], sample, elapsedMs, markTau);
    markets.basis[market] = basis as PriceE8;
    const fresh = oracleStale === 0 || state.timeMs - markets.reportedTime[market] <= oracleStale;
    target = computeMedianMark(index, basis, traded, fresh ? markets.reported[market] : 0);
  }
  return target < 1 ? 1 : target > priceMost ? priceMost : target;
}
