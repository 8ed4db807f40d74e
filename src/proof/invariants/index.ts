/** Invariants, and a watch that checks them. */
export {
  type Answer,
  createStep,
  defineInvariant,
  eventsOf,
  type Finding,
  type Invariant,
  type Step,
  type Term,
  type When,
} from "./defineInvariant.ts";
export { FoldError } from "./fold/foldError.ts";
export { foldEvents, startFold } from "./fold/foldEvents.ts";
export type { FoldedAccount, FoldedMarket, FoldedOrder, FoldedPosition, FoldedVenue } from "./fold/folded.ts";
export { writeFolded } from "./fold/writeFolded.ts";
export { invariants, listInvariants } from "./list.ts";
export type { Moment } from "./moment.ts";
export { near, type Tally } from "./tally.ts";
export { type Nearest, type Violation, Watch, type WatchOptions } from "./watch.ts";
