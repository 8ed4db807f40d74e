import type { ModelState } from "../state.ts";

/** Step 7: triggers, then slices (INT-1). */
export function fireIntents(_state: ModelState): void {}
