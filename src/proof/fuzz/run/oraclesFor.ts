import type { FailureKind } from "../shrink/signature.ts";
import type { Oracles } from "./runCase.ts";

/** The oracles that can see a failure of a kind, and no others: each one costs a run or a model in lock step. */
export function oraclesFor(kind: FailureKind): Oracles {
  return {
    ...(kind === "invariant" ? {} : { watch: false }),
    model: kind === "model",
    again: kind === "determinism",
    restored: kind === "determinism",
    metamorphic: kind === "metamorphic",
  };
}
