import type { ModelState } from "../state.ts";

/** Step 5: the risk pass (LIQ). */
export function passRisk(_state: ModelState): void {}
