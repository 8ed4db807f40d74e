import type { Amount } from "../../../ground/math/fixed.ts";
import { OUTFLOW_WINDOW, OUTFLOW_WINDOWS } from "../../../protocol/words.ts";
import { type Rejection, reject } from "../handler/defineHandler.ts";
import type { State } from "../state/state.ts";

/**
 * The venue's withdrawal limits (MRG-5), for every role: the pause after a deficit, then the caps of the hour and
 * of the day. Of several caps the one with the least left is reported, the hour before the day.
 */
export function checkOutflow({ outflow, height }: State, amount: Amount): Rejection | undefined {
  const { windows, pausedUntil } = outflow;
  if (height <= pausedUntil) return reject("WITHDRAWALS_PAUSED", { untilHeight: pausedUntil });
  let least: bigint | undefined;
  let tightest: number = OUTFLOW_WINDOW.hour;
  for (let place = 0; place < windows.length; place++) {
    const window = windows[place]!;
    if (!window.isCapped) continue;
    const left = window.computeCap() - window.used;
    if (least !== undefined && left >= least) continue;
    least = left;
    tightest = place;
  }
  if (least === undefined || BigInt(amount) <= least) return undefined;
  return reject("OUTFLOW_LIMIT", { amount, left: Number(least), window: OUTFLOW_WINDOWS[tightest]! });
}
