import type { FailureKind } from "../shrink/signature.ts";
import type { Oracles } from "./runCase.ts";

/** The oracles that see a failure of a kind, and no others: each costs a run of its own, or a model beside it. */
export function oraclesFor(kind: FailureKind): Oracles {
  return {
    ...(kind === "invariant" ? {} : { watch: false }),
    model: kind === "model",
    again: kind === "determinism",
    restored: kind === "determinism",
    metamorphic: kind === "metamorphic",
  };
}
