import type { Amount } from "../../../ground/math/fixed.ts";
import type { State } from "../state/state.ts";

/**
 * Opens the windows of a new UTC hour or day of block time, with the venue's holdings then. These are inflows less
 * outflows, before the block's own deposits; 0 if bad debt was paid out. It runs before everything else in a block:
 * collateral deposited during a window does not widen it.
 */
export function openOutflowWindows({ outflow, timeMs, totals, events }: State): void {
  const { windows } = outflow;
  for (let place = 0; place < windows.length; place++) {
    const window = windows[place]!;
    if (!window.isCapped || (window.startMs >= 0 && timeMs - window.startMs < window.lengthMs)) continue;
    const { base, high, low } = outflow.holdings.read(totals);
    window.open(timeMs - (timeMs % window.lengthMs), base);
    events.outflowOpened({ window: place, startMs: window.startMs, baseHigh: high, baseLow: low });
  }
}

/** Counts a withdrawal in the open windows; its event is `withdrawn`. */
export function countOutflow({ outflow }: State, amount: Amount): void {
  for (const window of outflow.windows) if (window.startMs >= 0) window.used += BigInt(amount);
}

/**
 * Records the part of a deficit that the fund did not pay, in the risk pass or at settlement. Once the sum of a block
 * exceeds the threshold, withdrawals are paused for the rest of the block. The pause lasts for as many later blocks as
 * genesis sets (MRG-5).
 */
export function noteUncovered({ outflow, height, events }: State, amount: number | bigint): void {
  const { deficitBlocks, deficitThreshold } = outflow;
  if (deficitBlocks === 0 || outflow.addUncovered(height, amount) <= deficitThreshold) return;
  const untilHeight = height + deficitBlocks;
  if (outflow.pausedUntil >= untilHeight) return;
  outflow.pausedUntil = untilHeight;
  events.withdrawalsPaused({ untilHeight });
}
