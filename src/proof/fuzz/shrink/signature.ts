import type { Violation } from "../../invariants/watch.ts";
import type { Side } from "../differential/comparison.ts";

/** What kind of thing went wrong, see `FuzzViolation`. */
export const FAILURE_KINDS = ["invariant", "model", "throw", "determinism", "metamorphic"] as const;
export type FailureKind = (typeof FAILURE_KINDS)[number];

/** A violation with what found it; an invariant where nothing is said. */
export interface Failure extends Violation {
  readonly kind?: FailureKind;
  /** Of a model: what the venue and it did not share at that moment. */
  readonly sides?: readonly Side[];
}

/**
 * What makes two failures the same: who found it, which invariant, and what it says but for numbers and names. So an
 * invariant that says `openInterest of …` and one that says `cost of …` are two, though the invariant is one.
 */
export function signatureOf({ kind = "invariant", invariant, entity = "", observed }: Failure): string {
  return `${kind} ${invariant} ${shapeOf(entity)}: ${shapeOf(observed)}`;
}

/** Words of a message: without numbers, hex, names in capitals, and places. */
function shapeOf(observed: string): string {
  const [line = ""] = observed.split("\n");
  const words = line
    .replace(/0x[0-9a-f]+/g, "")
    .replace(/\b[A-Z][A-Z0-9]*(?:-[A-Z0-9]+)*\b(?!_)/g, (word) => (/-|\d/.test(word) ? "" : word))
    .replace(/-?\d[\d.,]*n?/g, "")
    .match(/[A-Za-z][A-Za-z_]*/g);
  return (words ?? []).join(" ");
}
