import type { ModelState } from "../state.ts";

/** Step 2: index, then mark, of every market; and what moves once a block with the mark (PRC, MRG-1). */
export function movePrices(_state: ModelState): void {}
