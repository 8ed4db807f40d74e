/** What always holds, and a watch over it. */
export {
  createStep,
  eventsOf,
  type Invariant,
  type Step,
  type TransactionInvariant,
  type TransactionStep,
} from "./defineInvariant.ts";
export { FoldError } from "./fold/foldError.ts";
export { foldEvents, startFold } from "./fold/foldEvents.ts";
export type { FoldedAccount, FoldedMarket, FoldedOrder, FoldedPosition, FoldedVenue } from "./fold/folded.ts";
export { writeFolded } from "./fold/writeFolded.ts";
export { invariants, transactionInvariants } from "./list.ts";
export { type Violation, Watch, type WatchOptions } from "./watch.ts";
