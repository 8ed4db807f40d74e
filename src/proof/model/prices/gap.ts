import { lapseRestart } from "../funding/stepFunding.ts";
import type { Market, ModelState } from "../state.ts";

/**
 * A block too long after the last one makes a market restart. A price accepted in this block ends the restart, or
 * prevents it; so does a recorded mark in a market with recorded marks. A block gap of 0 never restarts (PRC-4).
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
