import type { Violation } from "../../invariants/machinery/watching/watch.ts";
import type { Side } from "../differential/comparison.ts";

/** Kinds of failures, see `FuzzViolation`. */
export const FAILURE_KINDS = ["invariant", "model", "throw", "determinism", "metamorphic"] as const;
export type FailureKind = (typeof FAILURE_KINDS)[number];

/** A violation with its kind; `invariant` by default. */
export interface Failure extends Violation {
  readonly kind?: FailureKind;
  /** For a model failure: the values that differed from the venue's at that moment. */
  readonly sides?: readonly Side[];
}

/**
 * Identity of a failure: its kind, its invariant, and its message without numbers and names. An invariant that reports
 * `openInterest of …` or `cost of …` has two identities.
 */
export function signatureOf({ kind = "invariant", invariant, entity = "", observed }: Failure): string {
  return `${kind} ${invariant} ${shapeOf(entity)}: ${shapeOf(observed)}`;
}

/** Words of a message, without numbers, hex, names in capitals, and places. */
function shapeOf(observed: string): string {
  const [line = ""] = observed.split("\n");
  const words = line
    .replace(/0x[0-9a-f]+/g, "")
    .replace(/\b[A-Z][A-Z0-9]*(?:-[A-Z0-9]+)*\b(?!_)/g, (word) => (/-|\d/.test(word) ? "" : word))
    .replace(/-?\d[\d.,]*n?/g, "")
    .match(/[A-Za-z][A-Za-z_]*/g);
  return (words ?? []).join(" ");
}
