import { writeCanonical } from "../../../venue/engine/commitment/canonical.ts";
import type { Invariant } from "../../invariants/machinery/defineInvariant.ts";
import type { FuzzCase } from "../case/fuzzCase.ts";
import { Feedback } from "../feedback/feedback.ts";
import { type RunOptions, runCase } from "../run/runCase.ts";
import { openSource } from "../run/source.ts";
import type { FuzzViolation } from "../run/violation.ts";
import { CANARIES } from "./canaries.ts";
import type { CanaryName } from "./canaryNames.ts";

/** Sweeps of a run that tests every check: it is slow, and a check that writes mostly does so often. */
const SWEEPS = { sweepEvery: 4, heavyEvery: 16 } as const;

/** Settings under which a case failed. */
export interface FailedWith {
  readonly invariants: readonly Invariant[];
  readonly model: boolean;
  readonly canary?: CanaryName | undefined;
}

/**
 * Finds what changed the venue though it may only read it: a check, a probe, or the source of the blocks. Such a change
 * looks like a fault of the venue, under the name of whatever notices it first. Two runs show whether there is one; a
 * slow third run names it.
 *
 * @param seen the violation of the case
 * @returns the violation that names the check or the source; undefined if none of them writes up to that block
 */
export function findWriter(
  given: FuzzCase,
  { kind, height }: Pick<FuzzViolation, "height"> & { readonly kind: string },
  { invariants, model, canary }: FailedWith,
): FuzzViolation | undefined {
  if (kind !== "invariant" && kind !== "model" && kind !== "throw") return undefined;
  const oracles = { watch: { ...SWEEPS, invariants }, model };
  const plant = canary === undefined ? {} : { plant: CANARIES[canary] };
  const run = (options: RunOptions) => runCase(given, { oracles, feedback: new Feedback(), ...plant, ...options });
  const watched = openSource(given);
  const { chronicle } = run({ begun: { source: watched }, records: true });
  const alone = openSource(chronicle!);
  runCase(chronicle!, { begun: { source: alone }, oracles: { watch: false }, ...plant });
  const form = writeCanonical(watched.state).slice();
  if (Buffer.compare(form, writeCanonical(alone.state)) === 0) return undefined;
  const { violation } = run({ testsReaders: true });
  const isWriter = violation?.broken === "changedVenue" || violation?.invariant === "casesRun";
  return isWriter && violation.height <= height ? violation : undefined;
}
