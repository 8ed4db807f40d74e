import type { Violation } from "../../invariants/watch.ts";
import type { Side } from "../differential/comparison.ts";

/** Which way of looking found it. */
export type FuzzKind = "invariant" | "model" | "throw" | "determinism" | "metamorphic";

/** Something that a run of a case showed to be wrong. For what no invariant names, `invariant` is one of `ORACLES`. */
export interface FuzzViolation extends Violation {
  readonly kind: FuzzKind;
  /** What the venue and the model did not share at that moment. */
  readonly sides?: readonly Side[];
}

/** What is looked for besides invariants, by the name that stands in a violation. */
export const ORACLES = {
  nothingThrows: "Inside a valid block nothing throws.",
  casesRun: "Every case runs, whatever its genes.",
  everythingEnds: "Every case comes to its end, and what looks at it comes back.",
  venueEqualsModel: "The venue and the reference model do the same.",
  sameAgain: "The same case gives the same blocks, and the same blocks the same venue.",
  restoredGoesOn: "A venue that is written, read and continued goes on as if nothing had been.",
  malformedIsRefused:
    "A genesis, a block or a written venue that is malformed is refused, by its place, and changes nothing.",
  replaysLeaveNothing: "Transactions that were committed before, sent again, change nothing at all.",
  namesDoNotMatter: "With other addresses in the same order, everything happens alike.",
  idleTransactionsMoveNothing: "Transactions that do nothing, put in between, move no money, no position and no price.",
  sidesDoNotMatter: "With sides swapped and prices reflected, orders of the house trade alike.",
  unitsDoNotMatter: "With sizes a tenth and prices tenfold, all money is the same to the unit.",
  settlingIsFree:
    "Funding that is settled after every block comes to the same as funding that is settled when it must be.",
} as const;
export type Oracle = keyof typeof ORACLES;
