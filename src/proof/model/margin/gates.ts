import type { OutflowCap } from "../../../protocol/genesis.ts";
import type { RejectionCode } from "../../../protocol/rejections.ts";
import { divFloor, max, readDecimal } from "../arithmetic.ts";
import { refuse } from "../receipts.ts";
import type { ModelState, OutflowWindow } from "../state.ts";
import { PPM } from "../words.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** A withdrawal window that has not begun: the first block opens it. */
export function newWindow(): OutflowWindow {
  return { number: -1, cap: undefined, left: 0n };
}

/** In a new UTC hour or day, computes the caps from the venue's total when the block begins (MRG-5). */
export function openWindows(state: ModelState): void {
  const { genesis, outflow, totals } = state;
  const held = totals.inflows - totals.withdrawals;
  const open = (window: OutflowWindow, lengthMs: number, cap: OutflowCap) => {
    const number = Math.floor(state.timeMs / lengthMs);
    if (number === window.number) return;
    window.number = number;
    window.cap = capOf(cap, held);
    window.left = window.cap ?? 0n;
  };
  open(outflow.hourly, HOUR_MS, genesis.outflow.hourly);
  open(outflow.daily, DAY_MS, genesis.outflow.daily);
}

/** The greater of an amount and a share; undefined for no cap. */
function capOf({ amount = "0", share = "0" }: OutflowCap, held: bigint): bigint | undefined {
  const fixed = readDecimal(amount, 6) ?? 0n;
  const part = readDecimal(share, 6) ?? 0n;
  return fixed === 0n && part === 0n ? undefined : max(fixed, divFloor(part * held, PPM));
}

/** The pause after a deficit, then the caps (MRG-5). */
export function checkGates(state: ModelState, amount: bigint): RejectionCode | undefined {
  const { hourly, daily, pausedUntil } = state.outflow;
  if (state.height <= pausedUntil) return refuse(state, "WITHDRAWALS_PAUSED", { untilHeight: pausedUntil });
  const exceeds = ({ cap, left }: OutflowWindow) => cap !== undefined && amount > left;
  if (!exceeds(hourly) && !exceeds(daily)) return undefined;
  // The rejection reports the cap with the least amount left; the hour if both are equal.
  const isDay = daily.cap !== undefined && (hourly.cap === undefined || daily.left < hourly.left);
  const numbers = isDay ? { left: daily.left, window: "day" } : { left: hourly.left, window: "hour" };
  return refuse(state, "OUTFLOW_LIMIT", { amount, ...numbers });
}

export function countWithdrawal({ outflow }: ModelState, amount: bigint): void {
  outflow.hourly.left -= amount;
  outflow.daily.left -= amount;
}

/**
 * Counts a deficit, or part of one, that the fund left unpaid: shared, or booked as bad debt. Above the block's
 * threshold, withdrawals are paused for the rest of the block and for the number of blocks in genesis (MRG-5).
 */
export function countUnpaid(state: ModelState, amount: bigint): void {
  const { deficitThreshold, deficitBlocks } = state.genesis.outflow;
  state.outflow.unpaid += amount;
  if (deficitBlocks === 0 || state.outflow.unpaid <= (readDecimal(deficitThreshold, 6) ?? 0n)) return;
  state.outflow.pausedUntil = state.height + deficitBlocks;
}
