import type { ModelState } from "../state.ts";

/** Step 3: a sample of every market, and settlement where an interval ended (FND). */
export function sampleAndSettleFunding(_state: ModelState): void {}
