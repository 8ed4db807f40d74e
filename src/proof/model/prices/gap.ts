import { lapseRestart } from "../funding/stepFunding.ts";
import type { Market, ModelState } from "../state.ts";

/**
 * A block too long after the last puts a market into a gap; a price that was taken in this block ends it, or keeps it from
 * beginning, and so does a recorded mark where marks are recorded. 0 for never (PRC-4).
 */
export function noteRestart(state: ModelState, market: Market): void {
  const { blockGap, markMethod } = market.parameters;
  const fed = markMethod === "reported" && market.reportedMs === state.timeMs;
  const fresh = fed || (market.oracle !== 0n && market.oracleMs === state.timeMs);
  const before = market.restarting;
  if (fresh || blockGap === 0) market.restarting = false;
  else if (state.elapsedMs > blockGap) market.restarting = true;
  if (market.restarting !== before) lapseRestart(state, market);
}
