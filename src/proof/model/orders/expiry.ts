import type { ModelState } from "../state.ts";

/** The last height or time has passed in this block (ORD-2). */
export function isPast(state: ModelState, goodTilHeight: number, goodTilTime: number): boolean {
  return (goodTilHeight !== 0 && goodTilHeight < state.height) || (goodTilTime !== 0 && goodTilTime < state.timeMs);
}
