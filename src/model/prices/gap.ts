import type { ModelState } from "../state.ts";

/** A market waits for a fresh price after a gap between blocks; 0 for never (PRC-4). */
export function openGaps(state: ModelState, elapsedMs: number): void {
  for (const market of state.markets) {
    const { blockGap } = market.parameters;
    if (blockGap !== 0 && elapsedMs > blockGap) market.gap = true;
  }
}
