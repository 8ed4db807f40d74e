import type { ModelState } from "../state.ts";

/** Step 4: orders, intents, authorizations, scheduled cancels. */
export function expire(_state: ModelState): void {}
