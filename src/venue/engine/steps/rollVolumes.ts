import { dayOf, forgetVolumes, refreshPastVolumes } from "../matching/volume.ts";
import type { State } from "../state/state.ts";

/**
 * At the first block of a UTC day: the day before begins to count for fees, the 31st before it no longer does (ORD-7).
 */
export function rollVolumes(state: State, elapsedMs: number): void {
  if (state.volumes.rows.count === 0 || dayOf(state.timeMs) === dayOf(state.timeMs - elapsedMs)) return;
  forgetVolumes(state);
  refreshPastVolumes(state);
}
