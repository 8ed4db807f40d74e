/** Invariants, and a watch that checks them. */

export { invariants, listInvariants } from "./list.ts";
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
} from "./machinery/defineInvariant.ts";
export { FoldError } from "./machinery/fold/foldError.ts";
export { foldEvents, startFold } from "./machinery/fold/foldEvents.ts";
export type { FoldedAccount, FoldedMarket, FoldedOrder, FoldedPosition, FoldedVenue } from "./machinery/fold/folded.ts";
export { writeFolded } from "./machinery/fold/writeFolded.ts";
export type { Moment } from "./machinery/moment.ts";
export { near, type Tally } from "./machinery/tally.ts";
export { type Nearest, type Violation, Watch, type WatchOptions } from "./machinery/watching/watch.ts";
