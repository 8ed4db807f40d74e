import type { Amount } from "../../../ground/math/fixed.ts";
import { highOf, lowOf } from "../funding/cumulativeIndex.ts";
import type { State } from "../state/state.ts";
import { TOTAL } from "../state/totals.ts";

/** Collateral of a venue above this counts as this: what an event has room for. */
const BASE_MOST = 2n ** 62n;

/**
 * Opens the windows of a new UTC hour or day of block time, with the venue's holdings then. These are inflows less
 * outflows, before the block's own deposits; 0 if bad debt was paid out. It runs before everything else in a block:
 * collateral deposited during a window does not widen it.
 */
export function openOutflowWindows({ outflow, timeMs, totals, events }: State): void {
  const { windows } = outflow;
  for (let place = 0; place < windows.length; place++) {
    const window = windows[place]!;
    if (!window.isCapped() || (window.startMs >= 0 && timeMs - window.startMs < window.lengthMs)) continue;
    const held = totals.get(TOTAL.inflows) - totals.get(TOTAL.withdrawals);
    const base = held < 0n ? 0n : held > BASE_MOST ? BASE_MOST : held;
    window.copyFrom({ startMs: timeMs - (timeMs % window.lengthMs), base, used: 0n });
    events.outflowOpened({ window: place, startMs: window.startMs, baseHigh: highOf(base), baseLow: lowOf(base) });
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
