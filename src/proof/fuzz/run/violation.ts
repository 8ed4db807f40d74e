import type { Violation } from "../../invariants/machinery/watching/watch.ts";
import type { Side } from "../differential/comparison.ts";

/** Oracle that found a violation. */
export type FuzzKind = "invariant" | "model" | "throw" | "determinism" | "metamorphic";

/** A fault that a run of a case showed. If no invariant names it, `invariant` is one of `ORACLES`. */
export interface FuzzViolation extends Violation {
  readonly kind: FuzzKind;
  /** Values that differed between venue and model at that moment. */
  readonly sides?: readonly Side[];
}

/** Oracles besides invariants, by the name in a violation. */
export const ORACLES = {
  nothingThrows: "Inside a valid block nothing throws.",
  casesRun: "Every case runs, whatever its genes.",
  everythingEnds: "Every case ends, and every checker returns.",
  venueEqualsModel: "The venue and the reference model agree.",
  sameAgain: "The same case gives the same blocks, and the same blocks the same venue.",
  restoredGoesOn: "A venue that is written and read continues as if it had never stopped.",
  malformedIsRefused:
    "A malformed genesis, block or stored venue is refused with the place of the fault, and changes nothing.",
  replaysLeaveNothing: "Committed transactions that are sent again change nothing.",
  namesDoNotMatter: "With other addresses in the same order, all outcomes are the same.",
  idleTransactionsMoveNothing: "Inserted noops change no money, no position and no price.",
  sidesDoNotMatter: "With sides swapped and prices reflected, house orders trade in the same way.",
  unitsDoNotMatter: "With a tenth of the sizes and tenfold prices, all money is the same to the unit.",
  settlingIsFree: "Funding settled after every block gives the same result as funding settled only when necessary.",
} as const;
export type Oracle = keyof typeof ORACLES;
