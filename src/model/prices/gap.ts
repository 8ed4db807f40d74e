import { lapseGap } from "../funding/stepFunding.ts";
import type { Market, ModelState } from "../state.ts";

/**
 * A block too long after the last puts a market into a gap; a price that was taken in this block ends it, or keeps it from
 * beginning, and so does a recorded mark where marks are recorded. 0 for never (PRC-4).
 */
export function noteGap(state: ModelState, market: Market): void {
  const { blockGap, markMethod } = market.parameters;
  const fed = markMethod === "external" && market.externalMs === state.timeMs;
  const fresh = fed || (market.oracle !== 0n && market.oracleMs === state.timeMs);
  const before = market.gap;
  if (fresh || blockGap === 0) market.gap = false;
  else if (state.elapsedMs > blockGap) market.gap = true;
  if (market.gap !== before) lapseGap(state, market);
}
