/**
 * The statements that a scenario checks while it runs. Product, server, venue and client import only this file of the
 * proof wing (`scripts/floors.json`).
 */

export { invariants } from "./list.ts";
export type { Invariant } from "./machinery/defineInvariant.ts";
export { firstDifference } from "./machinery/fold/firstDifference.ts";
export { readFolded } from "./machinery/fold/readFolded.ts";
export { Watch } from "./machinery/watching/watch.ts";
