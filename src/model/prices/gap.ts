import type { ModelState } from "../state.ts";

/** A market waits for a fresh price after a gap between blocks (PRC-4). */
export function openGaps(_state: ModelState, _elapsedMs: number): void {}
