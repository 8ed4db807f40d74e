/**
 * The statements that a scenario checks while it runs. Product, server, venue and client import only this file of the
 * proof wing (`scripts/floors.json`).
 */
export type { Invariant } from "./defineInvariant.ts";
export { firstDifference } from "./fold/firstDifference.ts";
export { readFolded } from "./fold/readFolded.ts";
export { invariants } from "./list.ts";
export { Watch } from "./watch.ts";
