import { mulDivCeil, PPM, type TimeMs } from "../../../ground/math/fixed.ts";
import type { PositionRow } from "../state/schema.ts";
import type { State } from "../state/state.ts";

/** Whether a chunk of a position was closed so lately that the next must wait (LIQ-2). */
export function isCooling(state: State, position: PositionRow): boolean {
  return state.positions.cooldown[position] > state.timeMs;
}

/**
 * Lots of a position to close now: all of them, or a chunk, rounded up, which starts the cooldown. The cooldown is
 * written here; the event that follows must carry it.
 */
export function startChunk(state: State, position: PositionRow, whole: boolean): number {
  const { positions } = state;
  const rules = state.parameters[positions.market[position]]!;
  const open = Math.abs(positions.signedLots[position]);
  if (whole) return open;
  positions.cooldown[position] = (state.timeMs + rules.liquidationCooldown) as TimeMs;
  return Math.min(open, mulDivCeil(open, rules.liquidationChunk, PPM));
}
